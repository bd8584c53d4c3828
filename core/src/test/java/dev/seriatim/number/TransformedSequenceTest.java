// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.striped.Striping;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransformedSequenceTest {

    /** Half of all counters: the even ones. */
    private static final Transform ODD = Transform.bitReversed(0, Long.MAX_VALUE / 2);

    private static final PermutationKey KEY = PermutationKey.derivedFrom("secret");

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
                Allocation.batch(7),
                Allocation.asyncBatch(20, 5),
                Allocation.adaptive());
    }

    private Sequence open(SequenceDefinition definition, Allocation mode) {
        store.create(definition);
        return sequences.open(definition.name(), mode);
    }

    private static SequenceDefinition upTo(long max) {
        return SequenceDefinition.named("a").maxValue(max).build();
    }

    @Test
    void draws_nothing_when_more_numbers_are_asked_for_than_fit_into_memory() {
        SequenceDefinition definition = SequenceDefinition.of("a");
        Sequence plain = open(definition, Allocation.async());
        TransformedSequence permuted = TransformedSequence.over(plain, Transform.permuted(KEY, 1, 99));
        for (int count : new int[] {Integer.MAX_VALUE, TransformedSequence.MOST + 1}) {
            assertThatThrownBy(() -> permuted.next(count))
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContainingAll("'a'", "at most 10000000", "in several calls");
            assertThatThrownBy(() -> permuted.formatted("{seq:20}").next(count))
                    .isInstanceOf(SequenceException.Misconfigured.class);
        }
        assertThat(plain.next()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void deals_distinct_numbers_of_the_range_in_every_mode(Allocation mode) throws Exception {
        SequenceDefinition definition = upTo(2000);
        TransformedSequence permuted = TransformedSequence.over(
                open(definition, mode), Transform.permuted(KEY, definition.min(), definition.max()));
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            work.add(() -> {
                for (int turn = 0; turn < 25; turn++) {
                    drawn.add(permuted.next());
                    permuted.next(2).values().forEach(drawn::add);
                    drawn.add(permuted.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS));
                }
                return null;
            });
        }
        for (Future<Void> one : threads.invokeAll(work)) {
            one.get();
        }
        threads.shutdown();
        assertThat(drawn).hasSize(4 * 25 * 4).allMatch(n -> n >= 1 && n <= 2000);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void draws_again_instead_of_what_is_passed_over_in_every_mode(Allocation mode) throws Exception {
        TransformedSequence odd = TransformedSequence.over(open(upTo(100), mode), ODD);
        List<Long> counters = new ArrayList<>();
        counters.add(ODD.invert(odd.next()));
        odd.next(10).values().map(ODD::invert).forEach(counters::add);
        counters.add(ODD.invert(odd.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS)));
        assertThat(counters).hasSize(12).doesNotHaveDuplicates().allMatch(n -> n % 2 == 1);
        for (long[] some = odd.next(30).values().toArray(); some.length > 0; some = untilExhausted(odd)) {
            LongStream.of(some).map(ODD::invert).forEach(counters::add);
        }
        assertThat(counters).doesNotHaveDuplicates().allMatch(n -> n % 2 == 1);
        if (mode.equals(Allocation.async())) { // modes with blocks may lose the end of one
            assertThat(counters).hasSize(50);
        }
    }

    private static long[] untilExhausted(TransformedSequence numbers) {
        try {
            return numbers.next(30).values().toArray();
        } catch (SequenceException.Exhausted end) {
            return new long[0];
        }
    }

    @Test
    void is_exhausted_when_only_what_is_passed_over_is_left() {
        TransformedSequence odd = TransformedSequence.over(open(upTo(4), Allocation.async()), ODD);
        assertThat(odd.next(2).values().map(ODD::invert).toArray()).containsExactly(1, 3);
        assertThatThrownBy(() -> odd.next(5)).isInstanceOf(SequenceException.Exhausted.class);
        assertThatThrownBy(odd::next).isInstanceOf(SequenceException.Exhausted.class);
    }

    @Test
    void gives_up_when_everything_is_passed_over() {
        SequenceDefinition evens =
                SequenceDefinition.named("a").startWith(2L).incrementBy(2).build();
        TransformedSequence none = TransformedSequence.over(open(evens, Allocation.batch(1000)), ODD);
        assertThatThrownBy(none::next)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("'a'", "skipped", "narrow its skip range", "increment 1");
        assertThatThrownBy(() -> none.next(100)).isInstanceOf(SequenceException.Misconfigured.class);
        assertThatThrownBy(() -> none.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SequenceException.Misconfigured.class);
    }

    @Test
    void names_the_sequence_that_left_the_range_of_its_permutation() {
        SequenceDefinition definition = upTo(3);
        TransformedSequence permuted = TransformedSequence.over(
                open(definition, Allocation.async()), Transform.permuted(KEY, definition.min(), definition.max()));
        assertThat(permuted.next(3).values().toArray()).containsExactlyInAnyOrder(1, 2, 3);
        store.alter("a", old -> old.toBuilder().maxValue(10L).build());
        assertThatThrownBy(permuted::next)
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("sequence 'a': 4 is outside 1 … 3", "part of its key");
        assertThatThrownBy(() -> permuted.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(SequenceException.OutOfRange.class);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void reports_lost_what_it_has_drawn_and_cannot_show(Allocation mode) throws Exception {
        List<Long> lost = new CopyOnWriteArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void lost(String sequence, Block values) {
                values.values().forEach(lost::add);
            }
        };
        store.create(upTo(100));
        try (StoreSequences told =
                StoreSequences.builder(store).listener(listener).build()) {
            Sequence sequence = told.open("a", mode);
            TransformedSequence permuted = TransformedSequence.over(sequence, Transform.permuted(KEY, 1, 3));
            FormattedSequence short1 = FormattedSequence.over(sequence, "{seq:1}");
            assertThat(permuted.next(3)).hasSize(3);
            assertThatThrownBy(permuted::next).isInstanceOf(SequenceException.OutOfRange.class);
            assertThatThrownBy(() -> permuted.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SequenceException.OutOfRange.class);
            assertThatThrownBy(() -> permuted.next(3)).isInstanceOf(SequenceException.OutOfRange.class);
            assertThat(lost).containsExactlyInAnyOrder(4L, 5L, 6L, 7L, 8L);
            assertThatThrownBy(() -> short1.next(2)).isInstanceOf(SequenceException.OutOfRange.class);
            assertThatThrownBy(short1::next).isInstanceOf(SequenceException.OutOfRange.class);
            assertThat(lost).containsExactlyInAnyOrder(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
        }
    }

    @Test
    void reports_a_number_of_a_stripe_lost_by_that_stripe() {
        List<String> lost = new CopyOnWriteArrayList<>();
        SequenceListener listener = new SequenceListener() {
            @Override
            public void lost(String sequence, Block values) {
                values.values().forEach(value -> lost.add(sequence + " " + value));
            }
        };
        Striping striping = new Striping("a", 2);
        striping.create(store, SequenceDefinition.of("a"));
        try (StoreSequences told =
                StoreSequences.builder(store).listener(listener).build()) {
            Sequence striped = told.striped(striping, Allocation.async());
            long number = striped.next();
            TransformedSequence permuted =
                    TransformedSequence.over(striped, Transform.permuted(KEY, number, number + 1));
            assertThatThrownBy(() -> {
                        while (true) {
                            permuted.next();
                        }
                    })
                    .isInstanceOf(SequenceException.OutOfRange.class);
            int stripe = (int) (number % 2);
            assertThat(lost).containsExactly(striping.counter(stripe) + " " + (number / 2 + 1));
        }
    }

    @Test
    void advises_what_helps_when_every_number_of_a_permutation_has_been_dealt() {
        TransformedSequence permuted =
                TransformedSequence.over(open(upTo(3), Allocation.async()), Transform.permuted(KEY, 1, 3));
        assertThat(permuted.next(5).values().toArray()).containsExactlyInAnyOrder(1, 2, 3);
        for (ThrowableAssert.ThrowingCallable draw :
                List.<ThrowableAssert.ThrowingCallable>of(permuted::next, () -> permuted.next(2))) {
            assertThatThrownBy(draw)
                    .isInstanceOf(SequenceException.Exhausted.class)
                    .hasMessageContainingAll("'a'", "min=1, max=3", "a new sequence", "a new permutation")
                    .hasMessageNotContaining("alter the bound");
        }
        assertThatThrownBy(() -> permuted.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(SequenceException.Exhausted.class)
                .hasMessageContaining("a new sequence");
        TransformedSequence reversed = TransformedSequence.over(
                open(SequenceDefinition.named("b").maxValue(1L).build(), Allocation.async()), Transform.bitReversed());
        reversed.next();
        assertThatThrownBy(reversed::next)
                .isInstanceOf(SequenceException.Exhausted.class)
                .hasMessageContaining("alter the bound");
    }

    @Test
    void deals_nothing_twice_when_the_bounds_change_under_a_permutation() {
        Sequence plain = open(upTo(50), Allocation.async());
        List<Long> drawn = new ArrayList<>();
        TransformedSequence.over(plain, Transform.permuted(KEY, 1, 50))
                .next(40)
                .values()
                .forEach(drawn::add);
        store.alter("a", old -> old.toBuilder().maxValue(500L).build());
        TransformedSequence.over(plain, Transform.permuted(KEY, 1, 50))
                .next(10)
                .values()
                .forEach(drawn::add); // as another process would
        assertThat(drawn).doesNotHaveDuplicates().hasSize(50);
        assertThatThrownBy(() -> TransformedSequence.over(plain, Transform.permuted(KEY, 1, 50))
                        .next())
                .isInstanceOf(SequenceException.OutOfRange.class);
    }

    @Test
    void writes_permuted_numbers_by_a_pattern() throws Exception {
        SequenceDefinition definition = SequenceDefinition.named("orders")
                .minValue(100_000L)
                .maxValue(999_999L)
                .build();
        Transform permuted = Transform.permuted(KEY, definition.min(), definition.max());
        FormattedSequence orders = TransformedSequence.over(open(definition, Allocation.batch(10)), permuted)
                .formatted(NumberPattern.of("INV-{seq:6}"));
        assertThat(orders.next()).isEqualTo("INV-" + permuted.apply(100_000));
        assertThat(orders.next(2)).containsExactly("INV-" + permuted.apply(100_001), "INV-" + permuted.apply(100_002));
        assertThat(orders.nextAsync().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isEqualTo("INV-" + permuted.apply(100_003));
        assertThat(permuted.invert(orders.pattern().parse(orders.local().next())))
                .isEqualTo(100_004);
        assertThat(orders.name()).isEqualTo("orders");
        assertThat(orders).hasToString("'orders' through Permutation[min=100000, max=999999] as 'INV-{seq:6}'");
    }

    @Test
    void writes_plain_numbers_by_a_pattern_and_names_the_sequence_that_outgrew_it() {
        FormattedSequence invoices = FormattedSequence.over(open(upTo(100), Allocation.async()), "{seq:1}");
        assertThat(invoices.next(9)).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThatThrownBy(invoices::next)
                .isInstanceOf(SequenceException.OutOfRange.class)
                .hasMessageContainingAll("sequence 'a'", "10 has 2 digits", "allows 1");
    }

    @Test
    void applies_one_transform_after_another() {
        SequenceDefinition definition = upTo(8);
        TransformedSequence both = TransformedSequence.over(
                        open(definition, Allocation.async()),
                        Transform.permuted(KEY, definition.min(), definition.max()))
                .transformed(Transform.bitReversed());
        long expected =
                Transform.bitReversed().apply(Transform.permuted(KEY, 1, 8).apply(1));
        assertThat(both.next()).isEqualTo(expected);
    }

    @Test
    void draws_through_a_cursor_and_inside_a_transaction() {
        Sequence sequence = open(upTo(1000), Allocation.batch(100));
        assertThat(TransformedSequence.over(sequence, Transform.bitReversed())
                        .local()
                        .next())
                .isEqualTo(1L << 62);
        TransactionalSequence<InMemoryTransaction> inside = TransactionalSequence.of(store, "a");
        Transform reversed = Transform.bitReversed();
        long[] drawn = store.<long[], RuntimeException>inTransaction(transaction -> {
            try (TransformedSequence within = TransformedSequence.over(inside.within(transaction), reversed)) {
                return within.next(2).values().toArray();
            }
        });
        assertThat(LongStream.of(drawn).map(reversed::invert).toArray()).containsExactly(101, 102);
    }

    @Test
    void closes_the_sequence_that_it_is_a_view_of() {
        Sequence sequence = open(upTo(9), Allocation.async());
        FormattedSequence.over(sequence, "{seq}").close();
        assertThatThrownBy(sequence::next).isInstanceOf(IllegalStateException.class);
    }
}
