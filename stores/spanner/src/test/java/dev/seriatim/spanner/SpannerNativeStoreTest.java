// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.Statement;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.number.Transform;
import dev.seriatim.store.OpenStore;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpannerNativeStoreTest {

    private final EmulatorDatabase database = EmulatorDatabase.create();
    private SpannerNativeStore store;

    @BeforeEach
    void open() {
        store = (SpannerNativeStore) database.open("sequences=native");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void deals_the_reversed_counter() {
        store.create(SequenceDefinition.of("s"));
        List<Long> drawn = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            drawn.add(store.reserve("s", 1).block().first());
        }
        assertThat(drawn)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 64)
                        .map(Transform.bitReversed()::apply)
                        .boxed()
                        .toList());
    }

    @Test
    void shares_the_counter_with_sql() {
        store.create(SequenceDefinition.of("s"));
        long first = store.reserve("s", 1).block().first();
        Long second = database.client().readWriteTransaction().run(transaction -> {
            try (var rows = transaction.executeQuery(Statement.of("SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE s)"))) {
                rows.next();
                return rows.getLong(0);
            }
        });
        assertThat(List.of(first, second)).containsExactly(1L << 62, 1L << 61);
    }

    @Test
    void starts_at_the_requested_value_and_leaves_the_skip_range_out() {
        try (OpenStore skipping =
                database.open("sequences=native", "skip-range-min=1", "skip-range-max=4611686018427387904")) {
            skipping.create(SequenceDefinition.named("s").startWith(4L).build());
            List<Long> drawn = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                drawn.add(skipping.reserve("s", 1).block().first());
            }
            Transform reversal = Transform.bitReversed(1, 1L << 62);
            assertThat(drawn)
                    .allMatch(value -> value > 1L << 62)
                    .containsExactlyElementsOf(LongStream.iterate(4, counter -> counter + 1)
                            .filter(counter -> !reversal.skips(counter))
                            .map(reversal::apply)
                            .limit(50)
                            .boxed()
                            .toList());
            assertThat(skipping.describe("s").definition().start()).isEqualTo(4);
            assertThat(store.details("s")).containsEntry("skips", "1 … 4611686018427387904");
        }
    }

    @Test
    void tells_its_internal_state() {
        store.create(SequenceDefinition.of("s"));
        assertThat(store.details("s"))
                .containsEntry("kind", "bit_reversed_positive")
                .containsEntry("counter", "not used yet")
                .containsEntry("deals next", Long.toString(1L << 62));
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
        store.reserve("s", 1);
        assertThat(store.details("s"))
                .containsEntry("counter", "2")
                .containsEntry("deals next", Long.toString(1L << 61));
        assertThat(store.reserve("s", 1).block()).isEqualTo(new Block(1L << 61, 1, 1));
        assertThat(store.describe("s").nextValue()).isEqualTo(3);
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.batch(20),
                Allocation.asyncBatch(20, 5),
                Allocation.adaptive());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_every_value_once_in_every_mode(Allocation mode) {
        store.create(SequenceDefinition.of("s"));
        try (OpenStore other = database.open("sequences=native");
                StoreSequences here = StoreSequences.of(store);
                StoreSequences there = StoreSequences.of(other)) {
            List<Sequence> instances = List.of(here.open("s", mode), there.open("s", mode));
            History history = new Crowd(8, 25)
                    .draw((thread, turn) -> new Block(instances.get(thread % 2).next(), 1, 1));
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(200);
        }
    }

    @Test
    void raises_and_restarts_its_counter() {
        store.create(SequenceDefinition.of("s"));
        store.reserve("s", 10);
        store.raise("s", 1000);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(Long.reverse(1000) >>> 1);
        store.raise("s", 5);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(Long.reverse(1001) >>> 1);
        store.restart("s", 7);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(Long.reverse(7) >>> 1);
    }

    @Test
    void says_what_it_has_not_and_what_cannot_be() {
        assertThat(store.list()).isEmpty();
        for (String name : List.of("nobody", "no identifier", "a`b")) {
            assertThatThrownBy(() -> store.reserve(name, 1))
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining("'" + name + "'");
            assertThatThrownBy(() -> store.describe(name)).isInstanceOf(SequenceException.NotFound.class);
            assertThatThrownBy(() -> store.drop(name)).isInstanceOf(SequenceException.NotFound.class);
        }
        store.create(SequenceDefinition.of("s"));
        assertThatThrownBy(() -> store.create(SequenceDefinition.of("s")))
                .isInstanceOf(SequenceException.AlreadyExists.class);
        assertThatThrownBy(() -> store.create(
                        SequenceDefinition.named("t").incrementBy(2).build()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("by 1");
        assertThatThrownBy(
                        () -> store.alter("s", d -> d.toBuilder().maxValue(9L).build()))
                .isInstanceOf(SequenceException.Misconfigured.class);
        assertThat(store.list()).hasSize(1);
        store.drop("s");
        assertThat(store.list()).isEmpty();
    }
}
