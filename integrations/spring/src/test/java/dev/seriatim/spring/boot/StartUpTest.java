// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;

/** The time that the sequences add to the start, as medians of 20 in one run. */
@Tag("long")
@Isolated
class StartUpTest {

    private static final int RUNS = 20;

    @Test
    void they_add_at_most_150_ms() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        long[] without = new long[RUNS];
        long[] with = new long[RUNS];
        measured(database, "--seriatim.enabled=false");
        for (int i = 0; i < RUNS; i++) {
            without[i] = measured(database, "--seriatim.enabled=false");
            with[i] = measured(database, "--seriatim.sequences.order.cache=100");
        }
        System.out.printf(
                "start-up on Boot %s: %.0f ms without, %.0f ms with; the first with %.0f ms%n",
                SpringBootVersion.getVersion(), median(without), median(with), with[0] / 1e6);
        assertThat(median(with) - median(without)).isLessThanOrEqualTo(150);
    }

    private static long measured(Database database, String... arguments) {
        long began = System.nanoTime();
        try (ConfigurableApplicationContext shop = ApplicationTest.start(database, arguments)) {
            long took = System.nanoTime() - began;
            assertThat(shop.containsBean(SeriatimAutoConfiguration.SEQUENCES))
                    .isEqualTo(!arguments[0].contains("enabled"));
            return took;
        }
    }

    private static double median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return (sorted[RUNS / 2 - 1] + sorted[RUNS / 2]) / 2e6;
    }
}
