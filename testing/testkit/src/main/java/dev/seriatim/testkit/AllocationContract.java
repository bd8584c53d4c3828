// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

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
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
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
            storeWith(SequenceDefinition.named(name).cache(10));
            List<StoreSequences> instances = List.of(StoreSequences.of(store), StoreSequences.of(store()));
            History history = new Crowd(6, 25).draw((thread, turn) -> {
                Sequence sequence = instances.get(thread % 2).open(name, mode);
                return turn % 5 == 4 ? sequence.next(3) : one(sequence.next());
            });
            instances.forEach(StoreSequences::close);
            assertThat(history.size()).isEqualTo(6 * (20 + 5 * 3));
            assertSound(history, mode);
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_down_to_the_last_value_and_then_is_exhausted() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name)
                    .incrementBy(-3)
                    .minValue(-40L)
                    .maxValue(20L)
                    .cache(4));
            Sequence sequence = open(name, mode, StoreSequences.builder(store));
            assertThat(drawn(sequence, 21)).hasSize(21).contains(20L, -40L).doesNotHaveDuplicates();
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
            assertThatThrownBy(sequence::next).isInstanceOf(SequenceException.Exhausted.class);
            store.alter(name, d -> d.toBuilder().minValue(-43L).build());
            assertThat(sequence.next()).isEqualTo(-43);
        });
    }

    @TestFactory
    Stream<DynamicTest> starts_over_when_the_sequence_cycles() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name).maxValue(5L).cycle(true).cache(2));
            List<Long> drawn = drawn(open(name, mode, StoreSequences.builder(store)), 12);
            List<Long> rounds = List.of(1L, 2L, 3L, 4L, 5L, 1L, 2L, 3L, 4L, 5L);
            if (ORDERED.contains(mode)) {
                assertThat(drawn).startsWith(rounds.toArray(Long[]::new)).endsWith(1L, 2L);
            } else { // concurrently fetched blocks may arrive in either order, but each round is dealt completely
                assertThat(drawn).containsAll(rounds);
                assertThat(drawn.stream().filter(value -> value == 1)).hasSizeBetween(2, 3);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> takes_up_a_changed_step_and_a_restart_with_its_next_block() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name).cache(3));
            Sequence sequence = open(name, mode, StoreSequences.builder(store));
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
            assertThat(LongStream.generate(sequence::next).limit(100_000).anyMatch(next -> next == 1))
                    .isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> gives_the_unused_end_back_where_that_was_asked_for() {
        return inEveryMode((mode, name) -> {
            storeWith(name);
            for (long expected = 1; expected <= 9; expected += 3) {
                try (StoreSequences sequences =
                        StoreSequences.builder(store).giveBackOnClose(true).build()) {
                    assertThat(drawn(sequences.open(name, mode), 3))
                            .containsExactly(expected, expected + 1, expected + 2);
                }
                assertThat(store.describe(name).nextValue()).isEqualTo(expected + 3);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> draws_on_another_thread_when_asked_to() {
        return inEveryMode((mode, name) -> {
            storeWith(name);
            Sequence sequence = open(name, mode, StoreSequences.builder(store));
            TreeSet<Long> drawn = new TreeSet<>();
            for (int i = 0; i < 30; i++) {
                drawn.add(sequence.nextAsync().toCompletableFuture().join());
            }
            assertThat(drawn).hasSize(30);
        });
    }

    @TestFactory
    Stream<DynamicTest> names_a_missing_sequence_and_finds_it_once_it_is_there() {
        return inEveryMode((mode, name) -> {
            storeWith("another for " + name);
            Sequence sequence = open(name, mode, StoreSequences.builder(store));
            assertThatThrownBy(sequence::next)
                    .isInstanceOf(SequenceException.NotFound.class)
                    .hasMessageContaining(name);
            store.create(SequenceDefinition.of(name));
            assertThat(sequence.next()).isEqualTo(1);
        });
    }

    @TestFactory
    Stream<DynamicTest> deals_through_cursors_of_single_callers_in_the_modes_without_order() {
        return DynamicTest.stream(IN_BLOCKS.stream(), Allocation::toString, mode -> {
            storeWith(name(mode));
            Sequence sequence = open(name(mode), mode, StoreSequences.builder(store));
            List<Sequence> cursors = Stream.generate(sequence::local).limit(4).toList();
            History history = new Crowd(4, 200)
                    .draw((thread, turn) -> one(cursors.get(thread).next()));
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(800);
        });
    }

    @TestFactory
    Stream<DynamicTest> whatever_the_store_throws_is_reported_at_once_and_the_next_call_works() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name).cache(3));
            Hooks hooks = new Hooks();
            History history = new History();
            try (StoreSequences sequences = hooked(hooks).build()) {
                Sequence sequence = sequences.open(name, mode);
                Error error = Errors.one(name);
                Runnable fails = () -> {
                    throw error;
                };
                hooks.before("reserve", fails);
                assertReported(history, sequence).hasRootCause(error);
                hooks.clear();
                add(history, sequence);
                // The store has reserved, but the answer is lost: the values are never dealt.
                hooks.after("reserve", fails);
                assertReported(history, sequence).hasRootCause(error);
                hooks.clear();
                add(history, sequence);
            }
            assertSound(history, mode);
            assertThat(store.describe(name).nextValue()).isGreaterThan(history.largest());
        });
    }

    @TestFactory
    Stream<DynamicTest> answers_that_are_lost_cost_values_and_never_deal_one_twice() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name).cache(3));
            Hooks hooks = new Hooks();
            ThreadLocal<Integer> commits = ThreadLocal.withInitial(() -> 0);
            hooks.after("reserve", () -> {
                commits.set(commits.get() + 1);
                if (commits.get() % 3 != 0) { // two in a row, never three: each reservation stays on its thread
                    throw new SequenceException.CommitOutcomeUnknown(name, null);
                }
            });
            Sequence sequence = open(name, mode, hooked(hooks));
            History history = new Crowd(1, 12).draw((thread, turn) -> one(sequence.next()));
            hooks.after("reserve", () -> {
                throw new SequenceException.CommitOutcomeUnknown(name, null);
            });
            assertReported(history, sequence).hasRootCauseInstanceOf(SequenceException.CommitOutcomeUnknown.class);
            hooks.clear();
            add(history, sequence);
            assertSound(history, mode);
        });
    }

    /** Draws until the store is called, as values in memory are dealt first. */
    private static AbstractThrowableAssert<?, ?> assertReported(History history, Sequence sequence) {
        long began = System.nanoTime();
        Throwable failure = catchThrowable(() -> {
            for (int i = 0; i < 100_000; i++) {
                add(history, sequence);
            }
        });
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.dividedBy(4));
        return assertThat(failure).isInstanceOf(SequenceException.Unavailable.class);
    }

    private static void add(History history, Sequence sequence) {
        long began = System.nanoTime();
        Block drawn = sequence.next(2);
        history.add(began, System.nanoTime(), drawn);
    }

    private static void assertSound(History history, Allocation mode) {
        assertThat(history.duplicates()).isZero();
        if (ORDERED.contains(mode)) {
            assertThat(history.orderViolations(true)).isZero();
        }
    }

    @TestFactory
    Stream<DynamicTest> a_sequence_that_is_always_in_conflict_fails_within_the_patience_and_stops_no_other() {
        return inEveryMode((mode, name) -> {
            String another = "another for " + name;
            storeWith(SequenceDefinition.named(name).cache(3));
            store.create(SequenceDefinition.named(another).cache(3).build());
            Hooks hooks = new Hooks();
            hooks.instead("reserve", call -> {
                if (call.argument().equals(name)) {
                    throw new SequenceException.Overloaded(name, "always in conflict", null);
                }
                return call.proceed();
            });
            StoreSequences sequences = sequences(hooked(hooks).patience(Duration.ofSeconds(5)));
            Sequence sequence = sequences.open(name, mode);
            Sequence other = sequences.open(another, mode);
            long began = System.nanoTime();
            assertThatThrownBy(sequence::next)
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("always in conflict");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
            assertThat(drawn(other, 10)).allMatch(value -> value > 0);
            hooks.clear();
            assertThat(sequence.next()).isEqualTo(1);
        });
    }

    @TestFactory
    Stream<DynamicTest> errors_of_the_executor_and_the_listener_cost_nothing_but_the_call() {
        return inEveryMode((mode, name) -> {
            storeWith(SequenceDefinition.named(name).cache(3));
            ExecutorService threads = Executors.newCachedThreadPool();
            closedLater(threads::shutdown);
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
            // Without hooks, but the store is called on the executor.
            Sequence sequence =
                    open(name, mode, hooked(new Hooks()).executor(executor).listener(Errors.listener()));
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
        });
    }

    @TestFactory
    Stream<DynamicTest> a_read_shows_what_any_instance_has_reserved_or_changed() {
        return whereReadsConfirm("read", name -> {
            storeWith(SequenceDefinition.named(name).cache(5));
            ConfirmingStore reading = (ConfirmingStore) store();
            assertThat(reading.read(name)).isEqualTo(store.describe(name));
            for (int count = 1; count <= 4; count++) {
                long last = store.reserve(name, count).block().last();
                SequenceState read = reading.read(name);
                assertThat(read).isEqualTo(store.describe(name));
                assertThat(read.nextValue()).isEqualTo(last + 1);
            }
            long epoch = reading.read(name).epoch();
            assertThat(store.giveBack(name, new Block(9, 2, 1), epoch)).isTrue();
            assertThat(reading.read(name).nextValue()).isEqualTo(9);
            store.raise(name, 100);
            assertThat(reading.read(name).nextValue()).isEqualTo(100);
            long raised = reading.read(name).epoch();
            store.restart(name, 100);
            assertThat(reading.read(name)).isEqualTo(store.describe(name));
            store.alter(name, d -> d.toBuilder().cache(9).build());
            assertThat(reading.read(name).definition().cache())
                    .isEqualTo(store.describe(name).definition().cache());
            assertThat(reading.read(name).epoch()).isGreaterThanOrEqualTo(raised);
            assertThatThrownBy(() -> reading.read(name + "?")).isInstanceOf(SequenceException.NotFound.class);
        });
    }

    @TestFactory
    Stream<DynamicTest> confirmed_draws_read_while_they_are_alone_and_stay_in_order_beside_others() {
        return whereReadsConfirm("confirmed", name -> {
            storeWith(name);
            Hooks hooks = new Hooks();
            OpenStore elsewhere = store();
            Sequence sequence = open(name, CONFIRMED, StoreSequences.builder(hooks.reservations(store)));
            long last = 0;
            for (int i = 0; i < 300; i++) {
                long next = sequence.next();
                assertThat(next).isGreaterThan(last);
                last = next;
            }
            assertThat(hooks.calls("reserve")).isLessThan(40);
            for (int i = 0; i < 20; i++) {
                long other = elsewhere.reserve(name, 1).block().first();
                assertThat(other).isGreaterThan(last);
                for (int draw = 0; draw < 1 + i % 4; draw++) {
                    last = sequence.next();
                    assertThat(last).isGreaterThan(other);
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> a_read_that_fails_confirms_nothing_and_costs_no_draw() {
        return whereReadsConfirm("unread", name -> {
            storeWith(name);
            Hooks hooks = new Hooks();
            OpenStore elsewhere = store();
            Sequence sequence = open(name, CONFIRMED, hooked(hooks));
            long last = 0;
            for (int i = 0; i < 40; i++) {
                Error error = Errors.one(name + i);
                switch (i % 3) {
                    case 1 ->
                        hooks.before("read", () -> {
                            throw error;
                        });
                    case 2 ->
                        hooks.after("read", () -> {
                            throw new SequenceException.Unavailable(name, "the answer was lost", null);
                        });
                    default -> hooks.clear();
                }
                long other = i % 5 == 0 ? elsewhere.reserve(name, 1).block().first() : last;
                last = sequence.next();
                assertThat(last).isGreaterThan(other);
            }
            assertThat(hooks.calls("read")).isPositive();
        });
    }

    private Stream<DynamicTest> whereReadsConfirm(String name, ReadTest test) {
        return Stream.of(
                whyNotConfirmed().isEmpty()
                        ? DynamicTest.dynamicTest(name, () -> test.run(name))
                        : DynamicTest.dynamicTest("refused", () -> {
                            StoreSequences sequences = sequences(StoreSequences.builder(storeWith(name)));
                            assertThatThrownBy(() -> sequences.open(name, CONFIRMED))
                                    .isInstanceOf(SequenceException.Misconfigured.class)
                                    .hasMessageContaining("'" + name + "'")
                                    .hasMessageContaining("use COMBINED");
                        }));
    }

    private interface ReadTest {
        void run(String name) throws Exception;
    }

    private StoreSequences.Builder hooked(Hooks hooks) {
        return StoreSequences.builder(hooks.reservations(store)).patience(LIMIT);
    }

    private Sequence open(String name, Allocation mode, StoreSequences.Builder settings) {
        return sequences(settings).open(name, mode);
    }

    private static List<Long> drawn(Sequence sequence, int count) {
        return LongStream.generate(sequence::next).limit(count).boxed().toList();
    }
}
