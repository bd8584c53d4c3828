// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.number.FormattedSequence;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import dev.seriatim.number.TransformedSequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StripedSequenceTest {

    private static final Striping STRIPING = new Striping("orders", 4);

    private final InMemoryStore store = new InMemoryStore();
    private final StoreSequences sequences = StoreSequences.of(store);

    @AfterEach
    void close() {
        sequences.close();
    }

    static List<Allocation> modes() {
        return List.of(
                Allocation.async(),
                Allocation.combined(),
                Allocation.confirmed(),
                Allocation.batch(7),
                Allocation.asyncBatch(20, 5),
                Allocation.adaptive());
    }

    private void createUpTo(long max) {
        STRIPING.create(
                store,
                SequenceDefinition.named("orders").maxValue(max).cache(10).build());
    }

    private static Set<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private static void onThreads(int threads, Callable<Void> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(work);
            }
            for (Future<Void> one : pool.invokeAll(all, 60, TimeUnit.SECONDS)) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static Void drawUntilExhausted(Sequence sequence, Set<Long> drawn) {
        while (true) {
            try {
                assertThat(drawn.add(sequence.next())).isTrue();
            } catch (SequenceException.Exhausted end) {
                return null;
            }
        }
    }

    private static List<Long> blockOf(Block block) {
        return block.values().boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_no_value_twice_to_threads_of_two_instances_in_every_mode(Allocation mode) throws Exception {
        createUpTo(Long.MAX_VALUE);
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        try (StoreSequences others = StoreSequences.of(store)) {
            List<Sequence> both = List.of(sequences.striped(STRIPING, mode), others.striped(STRIPING, mode));
            onThreads(8, () -> {
                for (int turn = 0; turn < 100; turn++) {
                    Sequence one = both.get(turn % 2);
                    assertThat(drawn.add(one.next())).isTrue();
                    assertThat(drawn.add(one.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS)))
                            .isTrue();
                    blockOf(one.next(3))
                            .forEach(value -> assertThat(drawn.add(value)).isTrue());
                    try (Sequence cursor = one.local()) {
                        assertThat(drawn.add(cursor.next())).isTrue();
                        blockOf(cursor.next(2))
                                .forEach(value -> assertThat(drawn.add(value)).isTrue());
                    }
                }
                return null;
            });
        }
        assertThat(drawn).hasSize(8 * 100 * 8).allMatch(value -> value >= 1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_every_value_before_it_is_exhausted_in_every_mode(Allocation mode) {
        createUpTo(99);
        Sequence orders = sequences.striped(STRIPING, mode);
        Set<Long> drawn = new HashSet<>();
        drawUntilExhausted(orders, drawn);
        assertThat(drawn).isEqualTo(range(1, 99));
        assertThatThrownBy(orders::next)
                .isInstanceOf(SequenceException.Exhausted.class)
                .hasMessageContainingAll("sequence 'orders'", "each of its 4 stripes", "orders_0_of_4");
        assertThatThrownBy(() -> orders.next(3)).isInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(() -> orders.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(() -> orders.local().next()).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void deals_every_value_to_threads_that_run_out_of_their_own_stripe() throws Exception {
        createUpTo(1000);
        store.reserve(STRIPING.counter(2), 200); // of 250
        Sequence orders = sequences.striped(STRIPING, Allocation.combined());
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        onThreads(4, () -> drawUntilExhausted(orders, drawn));
        assertThat(drawn).hasSize(800);
    }

    @Test
    void deals_downwards_and_through_0() {
        STRIPING.create(
                store,
                SequenceDefinition.named("orders")
                        .incrementBy(-3)
                        .minValue(-40L)
                        .maxValue(20L)
                        .build());
        Set<Long> drawn = new HashSet<>();
        drawUntilExhausted(sequences.striped(STRIPING, Allocation.batch(4)), drawn);
        assertThat(drawn)
                .isEqualTo(LongStream.iterate(20, n -> n >= -40, n -> n - 3)
                        .boxed()
                        .collect(Collectors.toSet()));
    }

    @Test
    void deals_blocks_of_one_stripe() {
        createUpTo(40);
        Sequence orders = sequences.striped(STRIPING, Allocation.async());
        Block block = orders.next(5);
        assertThat(block.count()).isEqualTo(5);
        assertThat(block.increment()).isEqualTo(4);
        assertThat(block.first()).isBetween(1L, 4L);
        assertThat(orders.next(100).count()).isEqualTo(5);
        assertThat(orders.next(100).first() % 4).isNotEqualTo(block.first() % 4);
    }

    @Test
    void goes_on_when_bounds_were_widened_after_its_end() {
        createUpTo(8);
        Sequence orders = sequences.striped(STRIPING, Allocation.async());
        Set<Long> drawn = new HashSet<>();
        drawUntilExhausted(orders, drawn);
        store.alter(STRIPING.counter(1), old -> old.toBuilder().maxValue(2L).build());
        assertThat(orders.next()).isEqualTo(2 * 4 + 1);
        assertThatThrownBy(orders::next).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void takes_a_cursor_from_stripe_to_stripe() throws Exception {
        createUpTo(50);
        try (Sequence cursor = sequences.striped(STRIPING, Allocation.batch(3)).local()) {
            Set<Long> drawn = new HashSet<>();
            drawn.addAll(blockOf(cursor.next(2)));
            drawn.add(cursor.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS));
            drawUntilExhausted(cursor, drawn);
            assertThat(drawn).isSubsetOf(range(1, 50)).hasSizeGreaterThan(40);
            assertThat(cursor.local()).isSameAs(cursor);
        }
    }

    @Test
    void closes_a_cursor_and_stays_open() {
        createUpTo(50);
        Sequence orders = sequences.striped(STRIPING, Allocation.combined());
        Sequence cursor = orders.local();
        cursor.next();
        cursor.close();
        assertThatThrownBy(cursor::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'orders'");
        assertThat(orders.next()).isPositive();
    }

    @Test
    void spreads_threads_over_the_stripes() throws Exception {
        createUpTo(1_000_000);
        Sequence orders = sequences.striped(STRIPING, Allocation.batch(1));
        onThreads(8, () -> {
            orders.next();
            return null;
        });
        List<Thread> more = new ArrayList<>();
        for (int i = 0; i < 64; i++) { // a thread's stripe depends on its id, and other tests use ids too
            more.add(new Thread(orders::next));
        }
        for (Thread thread : more) {
            thread.start();
            thread.join();
        }
        assertThat(STRIPING.describe(store).counters())
                .allMatch(counter -> counter.nextValue() > counter.definition().start());
    }

    @Test
    void finds_nothing_under_another_number_of_stripes() {
        createUpTo(50);
        Sequence orders = sequences.striped(new Striping("orders", 5), Allocation.async());
        assertThatThrownBy(orders::next)
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("_of_5");
    }

    @Test
    void is_opened_once_and_in_one_mode() {
        createUpTo(50);
        Sequence orders = sequences.striped(STRIPING, Allocation.async());
        assertThat(orders.name()).isEqualTo("orders");
        assertThat(sequences.striped(STRIPING, Allocation.async())).isSameAs(orders);
        assertThatThrownBy(() -> sequences.striped(STRIPING, Allocation.combined()))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("'orders'", "already open as Async");
        orders.close();
        assertThatThrownBy(orders::next).isInstanceOf(IllegalStateException.class);
        assertThat(sequences.striped(STRIPING, Allocation.combined()).next()).isPositive();
        sequences.close();
        assertThatThrownBy(() -> sequences.striped(STRIPING, Allocation.async()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'orders'");
    }

    @Test
    void says_so_when_a_counter_was_altered_beyond_64_bits() {
        createUpTo(4);
        store.alter(
                STRIPING.counter(1),
                old -> old.toBuilder().maxValue(Long.MAX_VALUE).build());
        store.restart(STRIPING.counter(1), Long.MAX_VALUE);
        Sequence orders = sequences.striped(STRIPING, Allocation.async());
        assertThatThrownBy(() -> drawUntilExhausted(orders, new HashSet<>()))
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("'orders_1_of_4'", "exceeds 64 bits");
    }

    @Test
    void goes_through_transforms_like_any_sequence() {
        SequenceDefinition definition =
                SequenceDefinition.named("orders").maxValue(999L).build();
        STRIPING.create(store, definition);
        FormattedSequence texts = TransformedSequence.over(
                        sequences.striped(STRIPING, Allocation.batch(10)),
                        Transform.permuted(PermutationKey.derivedFrom("secret"), definition.min(), definition.max()))
                .formatted("{seq:3}");
        Set<String> drawn = new HashSet<>();
        while (drawn.size() < 999) {
            assertThat(drawn.add(texts.next())).isTrue();
        }
        assertThatThrownBy(texts::next).isInstanceOf(SequenceException.Exhausted.class);
    }
}
