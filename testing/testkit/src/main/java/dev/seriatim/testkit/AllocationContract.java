// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract of every mode over the store under test. */
public abstract class AllocationContract extends StoreContract<OpenStore> {

    private static final Allocation CONFIRMED = Allocation.confirmed(40);
    private static final List<Allocation> ORDERED = List.of(Allocation.async(), Allocation.combined(), CONFIRMED);
    private static final List<Allocation> IN_BLOCKS = List.of(
            Allocation.batch(),
            Allocation.batch(7),
            Allocation.asyncBatch(20, 5),
            Allocation.asyncBatch(5, 5),
            Allocation.adaptive(),
            Allocation.adaptive(1, 8));

    /** Called by subclasses. */
    protected AllocationContract() {}

    private Stream<DynamicTest> inEveryMode(ModeTest test) {
        boolean confirms = whyNotConfirmed().isEmpty();
        return DynamicTest.stream(
                Stream.concat(ORDERED.stream(), IN_BLOCKS.stream()).filter(mode -> confirms || !mode.equals(CONFIRMED)),
                Allocation::toString,
                mode -> test.run(mode, name(mode)));
    }

    private Optional<String> whyNotConfirmed() {
        return store() instanceof ConfirmingStore confirming
                ? confirming.whyNotConfirmed()
                : Optional.of("it is not a ConfirmingStore");
    }

    /** Each mode has its own sequence, because the store is shared within a test. */
    private static String name(Allocation mode) {
        return mode.toString();
    }

    private interface ModeTest {
        void run(Allocation mode, String name) throws Exception;
    }

    @TestFactory
    Stream<DynamicTest> deals_every_value_once_to_instances_that_draw_at_once() {
        return inEveryMode((mode, name) -> {
            List<OpenStore> stores =
                    List.of(storeWith(SequenceDefinition.named(name).cache(10).build()), store());
            List<StoreSequences> instances = new ArrayList<>();
            stores.forEach(store -> instances.add(StoreSequences.of(store)));
            History history = new Crowd(6, 25).draw((thread, turn) -> {
                Sequence sequence = instances.get(thread % 2).open(name, mode);
                return turn % 5 == 4 ? sequence.next(3) : one(sequence.next());
            });
            instances.forEach(StoreSequences::close);
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(6 * (20 + 5 * 3));
            if (ORDERED.contains(mode)) {
                assertThat(history.orderViolations(true)).isZero();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_down_to_the_last_value_and_then_is_exhausted() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name)
                    .incrementBy(-3)
                    .minValue(-40L)
                    .maxValue(20L)
                    .cache(4)
                    .build());
            TreeSet<Long> drawn = new TreeSet<>();
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                for (int i = 0; i < 21; i++) {
                    drawn.add(sequence.next());
                }
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
                assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
                assertThat(drawn).hasSize(21).contains(20L, -40L);
                store.alter(name, d -> d.toBuilder().minValue(-43L).build());
                assertThat(sequence.next()).isEqualTo(-43);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> starts_over_when_the_sequence_cycles() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name)
                    .maxValue(5L)
                    .cycle(true)
                    .cache(2)
                    .build());
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                List<Long> drawn = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    drawn.add(sequence.next());
                }
                List<Long> rounds = List.of(1L, 2L, 3L, 4L, 5L, 1L, 2L, 3L, 4L, 5L);
                if (ORDERED.contains(mode)) {
                    assertThat(drawn).startsWith(rounds.toArray(Long[]::new)).endsWith(1L, 2L);
                } else { // concurrently fetched blocks may arrive in either order, but each round is dealt completely
                    assertThat(drawn).containsAll(rounds);
                    assertThat(drawn.stream().filter(value -> value == 1)).hasSizeBetween(2, 3);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> takes_up_a_changed_step_and_a_restart_with_its_next_block() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                sequence.next();
                store().alter(name, d -> d.toBuilder().incrementBy(1000).build());
                long value = sequence.next();
                long step = 1;
                for (int i = 0; i < 2000 && step != 1000; i++) {
                    long next = sequence.next();
                    step = next - value;
                    value = next;
                }
                assertThat(step).isEqualTo(1000);
                store().restart(name, 1);
                boolean restarted = false;
                for (int i = 0; i < 100_000 && !restarted; i++) {
                    restarted = sequence.next() == 1;
                }
                assertThat(restarted).isTrue();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> gives_the_unused_end_back_where_that_was_asked_for() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            for (long expected = 1; expected <= 9; expected += 3) {
                try (StoreSequences sequences =
                        StoreSequences.builder(store).giveBackOnClose(true).build()) {
                    Sequence sequence = sequences.open(name, mode);
                    assertThat(sequence.next()).isEqualTo(expected);
                    assertThat(sequence.next()).isEqualTo(expected + 1);
                    assertThat(sequence.next()).isEqualTo(expected + 2);
                }
                assertThat(store.describe(name).nextValue()).isEqualTo(expected + 3);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> draws_on_another_thread_when_asked_to() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                TreeSet<Long> drawn = new TreeSet<>();
                for (int i = 0; i < 30; i++) {
                    drawn.add(sequence.nextAsync().toCompletableFuture().join());
                }
                assertThat(drawn).hasSize(30);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> names_a_missing_sequence_and_finds_it_once_it_is_there() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.of("another for " + name));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                assertThatThrownBy(sequence::next)
                        .isInstanceOf(SequenceException.NotFound.class)
                        .hasMessageContaining(name);
                store.create(SequenceDefinition.of(name));
                assertThat(sequence.next()).isEqualTo(1);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_through_cursors_of_single_callers_in_the_modes_without_order() {
        return DynamicTest.stream(IN_BLOCKS.stream(), Allocation::toString, mode -> {
            String name = name(mode);
            OpenStore store = storeWith(SequenceDefinition.of(name));
            try (StoreSequences sequences = StoreSequences.of(store)) {
                Sequence sequence = sequences.open(name, mode);
                List<Sequence> cursors =
                        Stream.generate(sequence::local).limit(4).toList();
                History history = new Crowd(4, 200)
                        .draw((thread, turn) -> one(cursors.get(thread).next()));
                assertThat(history.duplicates()).isZero();
                assertThat(history.size()).isEqualTo(800);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> whatever_the_store_throws_is_reported_at_once_and_the_next_call_works() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            HookedReservations hooked = new HookedReservations(store);
            History history = new History();
            try (StoreSequences sequences =
                    StoreSequences.builder(hooked).patience(LIMIT).build()) {
                Sequence sequence = sequences.open(name, mode);
                Error error = Errors.one(name);
                HookedReservations.Hook fails = () -> {
                    throw error;
                };
                hooked.before = fails;
                assertReported(error, sequence);
                hooked.before = () -> {};
                add(history, sequence);
                // The store has reserved, but the answer is lost: the values are never dealt.
                hooked.committed = fails;
                assertReported(error, sequence);
                hooked.committed = () -> {};
                add(history, sequence);
            }
            assertThat(history.duplicates()).isZero();
            if (ORDERED.contains(mode)) {
                assertThat(history.orderViolations(true)).isZero();
            }
            assertThat(store.describe(name).nextValue()).isGreaterThan(history.largest());
        });
    }

    /** Draws until the store is called; values in memory are dealt first. */
    private static void assertReported(Error error, Sequence sequence) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        sequence.next();
                    }
                })
                .isInstanceOf(SequenceException.Unavailable.class)
                .hasRootCause(error);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.dividedBy(4));
    }

    private static void add(History history, Sequence sequence) {
        long began = System.nanoTime();
        Block drawn = sequence.next(2);
        history.add(began, System.nanoTime(), drawn);
    }

    @TestFactory
    Stream<DynamicTest> answers_that_are_lost_cost_values_and_never_deal_one_twice() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            HookedReservations hooked = new HookedReservations(store);
            ThreadLocal<Integer> commits = ThreadLocal.withInitial(() -> 0);
            hooked.committed = () -> {
                commits.set(commits.get() + 1);
                if (commits.get() % 3 != 0) { // two in a row, never three: each reservation stays on its thread
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                }
            };
            History history;
            try (StoreSequences sequences =
                    StoreSequences.builder(hooked).patience(LIMIT).build()) {
                Sequence sequence = sequences.open(name, mode);
                history = new Crowd(1, 12).draw((thread, turn) -> one(sequence.next()));
                hooked.committed = () -> {
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                };
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 100_000; i++) {
                                add(history, sequence);
                            }
                        })
                        .isInstanceOf(SequenceException.Unavailable.class)
                        .hasRootCauseInstanceOf(SequenceException.CommitOutcomeUnknown.class);
                hooked.committed = () -> {};
                add(history, sequence);
            }
            assertThat(history.duplicates()).isZero();
            if (ORDERED.contains(mode)) {
                assertThat(history.orderViolations(true)).isZero();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_sequence_that_is_always_in_conflict_fails_within_the_patience_and_stops_no_other() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            store.create(
                    SequenceDefinition.named("another for " + name).cache(3).build());
            HookedReservations always = new HookedReservations(store);
            always.only = name;
            always.before = () -> {
                throw new SequenceException.Overloaded(name, "always in conflict", null);
            };
            try (StoreSequences sequences = StoreSequences.builder(always)
                    .patience(Duration.ofSeconds(5))
                    .build()) {
                Sequence sequence = sequences.open(name, mode);
                Sequence other = sequences.open("another for " + name, mode);
                long began = System.nanoTime();
                assertThatThrownBy(sequence::next)
                        .isInstanceOf(SequenceException.Overloaded.class)
                        .hasMessageContaining("always in conflict");
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
                for (int i = 0; i < 10; i++) {
                    assertThat(other.next()).isPositive();
                }
                always.before = () -> {};
                assertThat(sequence.next()).isEqualTo(1);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> errors_of_the_executor_and_the_listener_cost_nothing_but_the_call() {
        return inEveryMode((mode, name) -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(3).build());
            ExecutorService threads = Executors.newCachedThreadPool();
            AtomicBoolean noThread = new AtomicBoolean();
            AtomicInteger running = new AtomicInteger();
            Executor executor = work -> {
                if (noThread.get()) {
                    throw new OutOfMemoryError("unable to create native thread, for the test");
                }
                running.incrementAndGet();
                threads.execute(() -> {
                    try {
                        work.run();
                    } finally {
                        running.decrementAndGet();
                    }
                });
            };
            try (StoreSequences sequences = StoreSequences.builder(
                            new HookedReservations(store)) // called on the executor
                    .executor(executor)
                    .listener(FailingListener.create())
                    .patience(LIMIT)
                    .build()) {
                Sequence sequence = sequences.open(name, mode);
                History history = new History();
                for (int round = 0; round < 2; round++) {
                    add(history, sequence);
                    long began = System.nanoTime();
                    while (running.get()
                            > 0) { // otherwise, the thread of the last reservation would continue with the next
                        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT);
                        TimeUnit.MILLISECONDS.sleep(1);
                    }
                    noThread.set(true);
                    began = System.nanoTime();
                    assertThatThrownBy(() -> {
                                for (int i = 0; i < 100_000; i++) {
                                    add(history, sequence);
                                    if (ORDERED.contains(mode)) { // these call the store for each value
                                        TimeUnit.MILLISECONDS.sleep(2);
                                    }
                                }
                            })
                            .isInstanceOf(SequenceException.Unavailable.class)
                            .hasRootCauseInstanceOf(OutOfMemoryError.class);
                    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.dividedBy(4));
                    noThread.set(false);
                }
                add(history, sequence);
                assertThat(history.duplicates()).isZero();
            } finally {
                threads.shutdown();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_read_shows_what_any_instance_has_reserved_or_changed() {
        return whereReadsConfirm("read", name -> {
            OpenStore store = storeWith(SequenceDefinition.named(name).cache(5).build());
            ConfirmingStore reading = (ConfirmingStore) store();
            assertThat(reading.read(name)).isEqualTo(store.describe(name));
            for (int count = 1; count <= 4; count++) {
                long last = store.reserve(name, count).block().last();
                SequenceState read = reading.read(name);
                assertThat(read).isEqualTo(store.describe(name));
                assertThat(read.nextValue()).isEqualTo(last + 1);
            }
            assertThat(store.giveBack(
                            name, new Block(9, 2, 1), reading.read(name).epoch()))
                    .isTrue();
            assertThat(reading.read(name).nextValue()).isEqualTo(9);
            store.raise(name, 100);
            assertThat(reading.read(name).nextValue()).isEqualTo(100);
            long epoch = reading.read(name).epoch();
            store.restart(name, 100);
            assertThat(reading.read(name)).isEqualTo(store.describe(name));
            store.alter(name, d -> d.toBuilder().cache(9).build());
            assertThat(reading.read(name).definition().cache())
                    .isEqualTo(store.describe(name).definition().cache());
            assertThat(reading.read(name).epoch()).isGreaterThanOrEqualTo(epoch);
            assertThatThrownBy(() -> reading.read(name + "?")).isInstanceOf(SequenceException.NotFound.class);
        });
    }

    @TestFactory
    Stream<DynamicTest> confirmed_draws_read_while_they_are_alone_and_stay_in_order_beside_others() {
        return whereReadsConfirm("confirmed", name -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            HookedReservations hooked = new HookedReservations(store);
            OpenStore elsewhere = store();
            try (StoreSequences sequences = StoreSequences.of(hooked)) {
                Sequence sequence = sequences.open(name, CONFIRMED);
                long last = 0;
                for (int i = 0; i < 300; i++) {
                    long next = sequence.next();
                    assertThat(next).isGreaterThan(last);
                    last = next;
                }
                assertThat(hooked.reservations.get()).isLessThan(40);
                for (int i = 0; i < 20; i++) {
                    long other = elsewhere.reserve(name, 1).block().first();
                    assertThat(other).isGreaterThan(last);
                    for (int draw = 0; draw < 1 + i % 4; draw++) {
                        last = sequence.next();
                        assertThat(last).isGreaterThan(other);
                    }
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_read_that_fails_confirms_nothing_and_costs_no_draw() {
        return whereReadsConfirm("unread", name -> {
            OpenStore store = storeWith(SequenceDefinition.of(name));
            HookedReservations hooked = new HookedReservations(store);
            OpenStore elsewhere = store();
            try (StoreSequences sequences =
                    StoreSequences.builder(hooked).patience(LIMIT).build()) {
                Sequence sequence = sequences.open(name, CONFIRMED);
                long last = 0;
                for (int i = 0; i < 40; i++) {
                    Error error = Errors.one(name + i);
                    hooked.beforeRead = i % 3 == 1
                            ? () -> {
                                throw error;
                            }
                            : () -> {};
                    hooked.read = i % 3 == 2
                            ? () -> {
                                throw new SequenceException.Unavailable(name, "the answer was lost", null);
                            }
                            : () -> {};
                    long other = i % 5 == 0 ? elsewhere.reserve(name, 1).block().first() : last;
                    last = sequence.next();
                    assertThat(last).isGreaterThan(other);
                }
                assertThat(hooked.reads.get()).isPositive();
            }
        });
    }

    private Stream<DynamicTest> whereReadsConfirm(String name, ReadTest test) {
        return whyNotConfirmed().isPresent()
                ? Stream.of(DynamicTest.dynamicTest("refused", () -> {
                    OpenStore store = storeWith(SequenceDefinition.of(name));
                    try (StoreSequences sequences = StoreSequences.of(store)) {
                        assertThatThrownBy(() -> sequences.open(name, CONFIRMED))
                                .isInstanceOf(SequenceException.Misconfigured.class)
                                .hasMessageContaining("'" + name + "'")
                                .hasMessageContaining("use COMBINED");
                    }
                }))
                : Stream.of(DynamicTest.dynamicTest(name, () -> test.run(name)));
    }

    private interface ReadTest {
        void run(String name) throws Exception;
    }

    private static Block one(long value) {
        return new Block(value, 1, 1);
    }
}
