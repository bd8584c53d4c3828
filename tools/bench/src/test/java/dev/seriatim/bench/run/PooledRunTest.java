// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.DrawnNumbers;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("long")
class PooledRunTest {

    private static final int ITERATIONS = 300;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_was_drawn_and_what_is_laid_out_have_no_gap(Engine engine) throws Exception {
        String url = engine.freshDatabase().url();
        try (OpenStore store = StoreDriver.open(url)) {
            PlanRunner runner = new PlanRunner(Site.of(store, url), new AtomicBoolean());
            for (boolean insertRows : List.of(false, true)) {
                RunPlan plan = new RunPlan(
                        Contender.of(DrawMode.POOLED),
                        8,
                        1,
                        1,
                        Duration.ofMillis(1),
                        new ClosedLoop(ITERATIONS, 20),
                        insertRows ? Setting.PLAIN.inserting(1, Setting.Form.ROW_BY_ROW) : Setting.PLAIN);
                RunResult result = runner.run(plan, "test");
                assertThat(result.check().faults()).isEmpty();
                assertThat(result.check().gaps()).hasValue(0);
                assertThat(result.check().orderViolations()).isEmpty();
                assertThat(result.measured().completed()).isEqualTo(ITERATIONS);
            }
        }
    }

    @Test
    void a_number_in_neither_place_is_a_gap_and_one_in_both_a_duplicate() {
        assertThat(faults(new long[] {1, 2, 4}, 3, 5, 6)).isEmpty();
        assertThat(faults(new long[] {1, 2, 4}, 5, 6)).containsExactly("1 gap");
        assertThat(faults(new long[] {1, 2, 4}, 3, 4, 5, 6)).containsExactly("1 duplicate");
    }

    private static List<String> faults(long[] drawn, long... laidOut) {
        DrawnNumbers draws = new DrawnNumbers(drawn, new long[0], new long[0], new long[0], 0);
        return SelfCheck.of(Contender.of(DrawMode.POOLED), false, draws, Optional.empty(), laidOut, 1, 7)
                .faults();
    }
}
