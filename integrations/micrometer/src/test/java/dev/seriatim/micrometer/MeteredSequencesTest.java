// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.memory.InMemoryStore;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The meters of real sequences. */
class MeteredSequencesTest {

    private final SequenceMetrics metrics = new SequenceMetrics();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path folder;

    @Test
    void a_block_in_sqlite() {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
        metrics.bindTo(registry);
        try (JdbcSequences sequences = JdbcSequences.open(
                database, settings -> settings.listener(metrics).giveBackOnClose(false))) {
            sequences.define(SequenceDefinition.named("ticket").maxValue(1_000L).build());
            Sequence tickets = sequences.open("ticket", Allocation.batch(100));
            for (int i = 0; i < 150; i++) {
                tickets.next();
            }
            assertThat(count("seriatim.reserved", "ticket")).isEqualTo(200);
            assertThat(registry.get("seriatim.reservations")
                            .tag("sequence", "ticket")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("seriatim.waits")
                            .tag("sequence", "ticket")
                            .timer()
                            .count())
                    .isBetween(1L, 2L);
            assertThat(gauge("seriatim.used.ratio", "ticket")).isEqualTo(0.2);
            assertThat(registry.get("seriatim.exhaustion")
                            .tag("sequence", "ticket")
                            .timeGauge()
                            .value(TimeUnit.SECONDS))
                    .isPositive()
                    .isFinite();
        }
        assertThat(count("seriatim.lost", "ticket")).isEqualTo(50);
    }

    @Test
    void an_exhausted_sequence() {
        metrics.bindTo(registry);
        try (InMemorySequences sequences =
                InMemorySequences.over(new InMemoryStore(), settings -> settings.listener(metrics))) {
            sequences.define(SequenceDefinition.named("few").maxValue(2L).build());
            Sequence few = sequences.ordered("few");
            few.next();
            few.next();
            assertThatThrownBy(few::next).isInstanceOf(SequenceException.Exhausted.class);
        }
        assertThat(registry.get("seriatim.failures")
                        .tag("exception", "Exhausted")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        assertThat(gauge("seriatim.used.ratio", "few")).isEqualTo(1);
    }

    @Test
    void values_given_back_on_close() {
        metrics.bindTo(registry);
        try (InMemorySequences sequences = InMemorySequences.over(
                new InMemoryStore(), settings -> settings.listener(metrics).giveBackOnClose(true))) {
            sequences.open("s", Allocation.batch(100)).next();
        }
        assertThat(count("seriatim.given.back", "s")).isEqualTo(99);
        assertThat(count("seriatim.lost", "s")).isZero();
    }

    @Test
    void a_slow_store_shows_its_latency_and_who_waits_for_it() {
        metrics.bindTo(registry);
        try (InMemorySequences sequences = InMemorySequences.over(
                new InMemoryStore(Duration.ofMillis(20)), settings -> settings.listener(metrics))) {
            sequences.open("s", Allocation.async()).next();
        }
        assertThat(registry.get("seriatim.reservations").timer().max(TimeUnit.MILLISECONDS))
                .isBetween(20.0, 5_000.0);
        assertThat(registry.get("seriatim.waits").timer().max(TimeUnit.MILLISECONDS))
                .isBetween(15.0, 5_000.0);
    }

    @Test
    void two_databases_with_the_same_names_are_distinguished_by_their_tags() {
        for (String tenant : new String[] {"blue", "red"}) {
            SequenceMetrics own = new SequenceMetrics(List.of(Tag.of("tenant", tenant)));
            own.bindTo(registry);
            try (InMemorySequences sequences =
                    InMemorySequences.over(new InMemoryStore(), settings -> settings.listener(own))) {
                sequences
                        .open("s", Allocation.batch(tenant.equals("red") ? 20 : 10))
                        .next();
            }
        }
        assertThat(registry.get("seriatim.reserved")
                        .tag("tenant", "blue")
                        .functionCounter()
                        .count())
                .isEqualTo(10);
        assertThat(registry.get("seriatim.reserved")
                        .tag("tenant", "red")
                        .functionCounter()
                        .count())
                .isEqualTo(20);
    }

    private double count(String meter, String sequence) {
        return registry.get(meter).tag("sequence", sequence).functionCounter().count();
    }

    private double gauge(String meter, String sequence) {
        return registry.get(meter).tag("sequence", sequence).gauge().value();
    }
}
