// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.UnitStart;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link GroupingStore}: many callers' units in one transaction, tested through
 * {@link GroupedSequence}.
 */
public abstract class GroupingStoreContract<T, S extends OpenStore & GroupingStore<T>>
        extends TransactionContract<T, S> {

    private static final int CALLERS = 16;

    /** Stores a number in a transaction, like an application that inserts a row with it. */
    protected abstract void keep(T transaction, long number) throws Exception;

    /** Returns every number stored by a committed transaction of this test, in any order. */
    protected abstract List<Long> kept() throws Exception;

    @Test
    void commits_one_number_and_many_in_a_unit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        long one = sequence.commit(this::keepOne);
        Block many = sequence.commit(turn -> {
            Block block = turn.next(3);
            for (long number : block.values().toArray()) {
                keep(turn.transaction(), number);
            }
            return block;
        });
        assertThat(one).isEqualTo(1);
        assertThat(many.values()).containsExactly(2L, 3L, 4L);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        assertThat(store().describe("s").nextValue()).isEqualTo(5);
    }

    @Test
    void stays_gapless_and_ordered_while_many_commit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        History history = new Crowd(CALLERS, 25).draw((caller, turn) -> one(sequence.commit(this::keepOne)));
        assertUniqueAndOrdered(history);
        assertGapless(CALLERS * 25);
    }

    @Test
    void lets_those_who_come_together_share_a_commit() throws Exception {
        storeWith("s");
        AtomicInteger transactions = new AtomicInteger();
        GroupedSequence<T> sequence = grouped(name -> {
            transactions.incrementAndGet();
            return store.begin(name);
        });
        int rounds = 10;
        List<Integer> each = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            // A group of many grows too old on a busy machine, and takes some more commits; one of two does not.
            int callers = round % 2 == 0 ? CALLERS : 2;
            OneGroup<T> group = new OneGroup<>(sequence);
            for (int i = 0; i < callers; i++) {
                group.add(this::keepOne);
            }
            group.go();
            for (int i = 0; i < callers; i++) {
                group.result(i);
            }
            each.add(transactions.getAndSet(0));
        }
        assertGapless(rounds / 2 * (CALLERS + 2));
        assertThat(each).contains(1).allMatch(commits -> commits <= CALLERS / 2);
    }

    @Test
    void shows_a_failure_to_its_own_caller_only_and_leaves_no_gap() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(CALLERS, 25).each((caller, turn) -> {
            Random random = new Random(1000L * caller + turn);
            String whose = caller + "/" + turn;
            try {
                committed.add(sequence.commit(t -> {
                    long number = keepOne(t);
                    if (random.nextInt(5) == 0) {
                        thrown.incrementAndGet();
                        throw new Refused(whose);
                    }
                    return number;
                }));
            } catch (Refused failure) {
                assertThat(failure).hasMessage(whose);
                seen.incrementAndGet();
            }
        });
        assertThat(seen.get()).isEqualTo(thrown.get()).isPositive();
        assertThat(committed).hasSize(CALLERS * 25 - seen.get());
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(committed);
        assertGapless(committed.size());
    }

    @Test
    void shows_an_error_to_its_own_caller_only_as_it_is() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(CALLERS, 5).each((caller, turn) -> {
            Error error = caller % 4 == 0 ? Errors.all().get(turn % Errors.all().size()) : null;
            try {
                committed.add(sequence.commit(t -> {
                    long number = keepOne(t);
                    if (error != null) {
                        throw error;
                    }
                    return number;
                }));
                assertThat(error).isNull();
            } catch (Error thrown) {
                assertThat(thrown).isSameAs(error);
            }
        });
        assertThat(committed).hasSize(CALLERS * 3 / 4 * 5);
        assertGapless(committed.size());
    }

    @Test
    void only_the_unit_that_breaks_a_rule_that_the_commit_checks_fails() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        for (int before = 0; before <= 2; before += 2) {
            AtomicBoolean checked = new AtomicBoolean(true);
            OneGroup<T> group = new OneGroup<>(sequence)
                    .add(this::keepOne)
                    .add(turn -> {
                        long number = keepOne(turn);
                        checked.set(breakAtCommit(turn.transaction()));
                        return number;
                    })
                    .add(this::keepOne)
                    .go();
            Throwable failure = group.failure(1);
            assumeTrue(checked.get(), "commits of this store check nothing");
            assertThat(failure)
                    .isInstanceOf(SequenceException.Misconfigured.class)
                    .hasMessageContaining("'s'")
                    .hasMessageContaining("nothing was committed");
            assertThat(List.of(group.result(0), group.result(2))).containsExactlyInAnyOrder(before + 1L, before + 2L);
            assertGapless(before + 2);
        }
    }

    @Test
    void units_and_commits_that_are_always_in_conflict_stop_no_other_unit() throws Exception {
        storeWith("s");
        hooks.instead(
                "blame",
                call -> call.argument() instanceof Refused refused && "in conflict".equals(refused.getMessage())
                        ? SharedTransaction.Blame.OTHER_SESSION
                        : call.proceed());
        AtomicBoolean spoiled = new AtomicBoolean();
        hooks.before("commit", () -> {
            if (spoiled.getAndSet(false)) {
                throw new SequenceException.Overloaded("s", "in conflict at the commit", null);
            }
        });
        Duration patience = Duration.ofSeconds(3); // a busy machine runs the unit twice in half of that
        GroupedSequence<T> sequence = grouped(hooks.groups(store), patience);
        AtomicInteger runs = new AtomicInteger();
        long began = System.nanoTime();
        ExecutorService threads = threads();
        List<Future<Long>> always = List.of(
                threads.submit(() -> sequence.commit(turn -> {
                    runs.incrementAndGet();
                    keepOne(turn);
                    throw new Refused("in conflict");
                })),
                threads.submit(() -> sequence.commit(turn -> {
                    spoiled.set(true);
                    return keepOne(turn);
                })));
        ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();
        new Crowd(4, 10).each((caller, turn) -> committed.add(sequence.commit(this::keepOne)));
        for (Future<Long> caller : always) {
            // If the patience ends during a commit or a rollback, the caller cannot know its outcome.
            assertThatThrownBy(() -> caller.get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfAny(SequenceException.Overloaded.class, SequenceException.CommitOutcomeUnknown.class)
                    .message()
                    .containsAnyOf("nothing was committed", "ended before the store answered");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(patience.multipliedBy(5));
        assertThat(runs.get())
                .as("with pauses, so more than twice but not continuously")
                .isBetween(3, 200);
        assertThat(committed).hasSize(40);
        assertGapless(40);
    }

    /**
     * How a commit fails.
     *
     * @param before whether it fails before anything is committed; otherwise, after everything is committed
     * @param unknown whether callers get an unknown outcome; otherwise, it is certain that nothing has been committed, and
     *     all units run again
     */
    private record CommitFailure(Throwable thrown, boolean before, boolean unknown) {
        static List<CommitFailure> all() {
            return List.of(
                    new CommitFailure(
                            new SequenceException.Unavailable("s", "the connection broke", null), true, false),
                    new CommitFailure(new SequenceException.Misconfigured("s", "refused"), true, false),
                    new CommitFailure(new NoClassDefFoundError("for/the/Test"), true, true),
                    new CommitFailure(new IllegalStateException("the driver's"), true, true),
                    new CommitFailure(new SequenceException.CommitOutcomeUnknown("s", null), false, true),
                    new CommitFailure(new OutOfMemoryError("for the test"), false, true),
                    new CommitFailure(new IllegalStateException("the driver's"), false, true));
        }
    }

    @Test
    void a_failed_commit_is_reported_with_its_cause_and_leaves_neither_a_gap_nor_a_duplicate() throws Exception {
        GroupedSequence<T> sequence = grouped(hooks.groups(storeWith("s")));
        int committed = 0;
        for (CommitFailure kind : CommitFailure.all()) {
            AtomicInteger runs = new AtomicInteger();
            AtomicInteger inFirst = new AtomicInteger(); // on a busy machine, not all three share a transaction
            Runnable fails = () -> {
                if (inFirst.compareAndSet(0, runs.get())) {
                    throw Errors.thrown(kind.thrown);
                }
            };
            if (kind.before) {
                hooks.before("commit", fails);
            } else {
                hooks.after("commit", fails);
            }
            OneGroup<T> group = new OneGroup<>(sequence);
            for (int i = 0; i < 3; i++) {
                group.add(turn -> {
                    runs.incrementAndGet();
                    return keepOne(turn);
                });
            }
            group.go();
            List<@Nullable Throwable> failures = new ArrayList<>();
            for (int caller = 0; caller < 3; caller++) {
                failures.add(group.failure(caller));
            }
            int failed = inFirst.get();
            assertThat(failed).as("%s", kind).isBetween(1, 3);
            // If nothing is known to be committed, each unit runs again; one that was alone gets the failure itself.
            boolean repeated = !kind.unknown && failed > 1;
            Class<?> expected = kind.unknown ? SequenceException.CommitOutcomeUnknown.class : kind.thrown.getClass();
            for (int caller = 0; caller < 3; caller++) {
                if (caller < failed && !repeated) {
                    assertThat(failures.get(caller)).as("%s", kind).isInstanceOf(expected);
                } else {
                    assertThat(failures.get(caller)).as("%s", kind).isNull();
                }
            }
            assertThat(runs).as("%s", kind).hasValue(repeated ? 3 + failed : 3);
            committed += kind.before && !repeated ? 3 - failed : 3;
            assertGapless(committed);
            assertThat(sequence.commit(this::keepOne)).as("%s", kind).isEqualTo(++committed);
        }
    }

    @Test
    void a_rollback_that_fails_is_unknown_to_those_whose_units_have_run_and_costs_no_number() throws Exception {
        storeWith("s");
        hooks.before("undo", () -> {
            throw new SequenceException.Unavailable("s", "nor can it go back to a savepoint", null);
        });
        for (Throwable each :
                List.of(new IllegalStateException("the driver's"), new NoClassDefFoundError("for/the/Test"))) {
            hooks.after("rollback", () -> {
                throw Errors.thrown(each);
            });
            AtomicInteger runs = new AtomicInteger();
            GroupedSequence<T> sequence = grouped(hooks.groups(store)); // a new one, which knows no earlier failure
            OneGroup<T> group = new OneGroup<>(sequence)
                    .add(turn -> {
                        runs.incrementAndGet();
                        return keepOne(turn);
                    })
                    .add(this::refuse)
                    .go();
            for (int caller = 0; caller < 2; caller++) {
                assertThat(group.failure(caller)).isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
            }
            assertThat(group.failure(1)).hasStackTraceContaining("refused");
            assertThat(runs).hasValue(1);
            assertGapless(0);
        }
        assertThat(grouped(store).commit(this::keepOne)).isEqualTo(1);
    }

    @Test
    void an_error_at_any_step_is_reported_at_once_and_the_next_call_works() throws Exception {
        storeWith("s");
        int committed = 0;
        for (String step : List.of("begin", "mark", "undo", "start", "executor", "listener")) {
            committed = failingAt(step, committed);
        }
    }

    /** Fails in a method of the store, or in a callback. */
    private int failingAt(String step, int committedBefore) throws Exception {
        AtomicReference<Error> error = new AtomicReference<>();
        Runnable fails = () -> {
            Error now = error.get();
            if (now != null) {
                throw now;
            }
        };
        hooks.clear();
        hooks.before(step, fails);
        ExecutorService threads = threads();
        StoreSequences.Builder settings = StoreSequences.builder(store)
                .patience(LIMIT)
                .executor(work -> {
                    if (step.equals("executor") && error.get() != null) {
                        throw new OutOfMemoryError("unable to create native thread, for the test");
                    }
                    threads.execute(work);
                });
        if (step.equals("listener")) {
            settings.listener(Errors.listener());
        }
        UnitStart<T> start = transaction -> {
            if (step.equals("start")) {
                fails.run();
            }
        };
        GroupedSequence<T> sequence = sequences(settings).grouped("s", hooks.groups(store), start);
        int committed = committedBefore;
        for (int round = 0; round < 2; round++) { // first without savepoints, then with them
            error.set(Errors.one(step + " " + round));
            long began = System.nanoTime();
            OneGroup<T> group = new OneGroup<>(sequence)
                    .add(this::keepOne)
                    .add(this::refuse)
                    .add(this::keepOne)
                    .go();
            assertThat(group.failure(1)).isNotNull();
            for (int caller : new int[] {0, 2}) {
                committed += group.failure(caller) == null ? 1 : 0;
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.dividedBy(4));
            error.set(null);
            committed++;
            assertThat(sequence.commit(this::keepOne)).as("%s", step).isEqualTo(committed);
            assertGapless(committed);
        }
        return committed;
    }

    @Test
    void holds_no_caller_beyond_its_deadline_when_another_unit_is_slow() throws Exception {
        Duration patience = Duration.ofSeconds(3);
        GroupedSequence<T> sequence = grouped(storeWith("s"), patience);
        OneGroup<T> slow = new OneGroup<>(sequence).add(this::keepOne);
        long began = System.nanoTime();
        assertThatThrownBy(() -> sequence.commit(this::keepOne))
                .isInstanceOf(SequenceException.Overloaded.class)
                .hasMessageContaining("'s'");
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(patience.minusMillis(10), Duration.ofSeconds(10));
        slow.go();
        assertThat(slow.result(0)).isEqualTo(1);
        assertThat(sequence.commit(this::keepOne)).isEqualTo(2);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void takes_a_unit_back_whose_caller_has_left_before_the_commit() throws Exception {
        CountDownLatch secondMayGo = new CountDownLatch(1);
        OneGroup<T> pair = pair(grouped(storeWith("s"), Duration.ofSeconds(3)), secondMayGo);
        assertThat(pair.failure(0)).isInstanceOf(SequenceException.Overloaded.class);
        secondMayGo.countDown();
        assertThat(pair.result(1)).isEqualTo(1);
        assertThat(kept()).containsExactly(1L);
    }

    @Test
    void no_caller_returns_before_the_commit() throws Exception {
        CountDownLatch secondMayGo = new CountDownLatch(1);
        OneGroup<T> pair = pair(grouped(storeWith("s")), secondMayGo);
        TimeUnit.MILLISECONDS.sleep(100);
        assertThat(pair.isDone(0)).isFalse();
        assertThat(kept()).isEmpty();
        secondMayGo.countDown();
        assertThat(pair.result(0)).isEqualTo(1);
        assertThat(kept()).contains(1L);
        assertThat(pair.result(1)).isEqualTo(2);
        assertThat(kept()).containsExactlyInAnyOrder(1L, 2L);
    }

    /** Returns two callers in one group: the first unit has run, the second waits. */
    private OneGroup<T> pair(GroupedSequence<T> sequence, CountDownLatch secondMayGo) throws InterruptedException {
        CountDownLatch secondRuns = new CountDownLatch(1);
        OneGroup<T> pair = new OneGroup<>(sequence)
                .add(this::keepOne)
                .add(turn -> {
                    secondRuns.countDown();
                    secondMayGo.await();
                    return keepOne(turn);
                })
                .go();
        secondRuns.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        return pair;
    }

    @Test
    void tells_those_who_draw_beyond_the_end() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith(oneToTen("s")));
        AtomicInteger exhausted = new AtomicInteger();
        new Crowd(13, 1).each((caller, turn) -> {
            try {
                sequence.commit(this::keepOne);
            } catch (SequenceException.Exhausted e) {
                exhausted.incrementAndGet();
            }
        });
        assertThat(exhausted.get()).isEqualTo(3);
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(numbers(1, 10));
        assertThat(store().describe("s").usedUp()).isTrue();
    }

    @Test
    void stays_gapless_over_two_instances_on_one_place() throws Exception {
        S one = storeWith("s");
        S two = store();
        List<GroupedSequence<T>> instances =
                List.of(grouped(one), sequences(StoreSequences.builder(two)).grouped("s", two));
        History history = new Crowd(CALLERS, 15)
                .draw((caller, turn) -> one(instances.get(caller % 2).commit(this::keepOne)));
        assertThat(history.orderViolations(true)).isZero();
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(numbers(1, CALLERS * 15));
    }

    @Test
    void leaves_a_counter_alone_that_no_unit_drew_from() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        sequence.<Boolean, Exception>commit(turn -> {
            keep(turn.transaction(), 77);
            return true;
        });
        assertThat(kept()).containsExactly(77L);
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void sees_at_the_next_group_what_others_did_to_the_sequence() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        assertThat(sequence.commit(this::keepOne)).isEqualTo(1);
        store.raise("s", 100);
        store.alter("s", definition -> definition.toBuilder().incrementBy(5).build());
        assertThat(sequence.commit(turn -> turn.next(2)).values()).containsExactly(100L, 105L);
        assertThat(store.reserve("s", 1).block().first()).isEqualTo(110);
    }

    @Test
    void names_the_missing_sequence() {
        GroupedSequence<T> sequence = grouped(storeWith("other"));
        assertThatThrownBy(() -> sequence.commit(this::keepOne))
                .isInstanceOf(SequenceException.NotFound.class)
                .hasMessageContaining("'s'");
        store().create(SequenceDefinition.of("s"));
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
    }

    @Test
    void ends_a_turn_when_its_unit_returns() {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        Turn<T> over = sequence.<Turn<T>, RuntimeException>commit(turn -> turn);
        assertThatThrownBy(over::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(over::transaction).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void takes_the_numbers_back_with_a_part_of_a_unit() throws Exception {
        GroupedSequence<T> sequence = grouped(storeWith("s"));
        for (long expected = 1; expected <= 3; expected++) {
            boolean[] marks = {true};
            long number = sequence.commit(turn -> {
                Turn.Mark mark;
                try {
                    mark = turn.mark();
                } catch (UnsupportedOperationException e) {
                    marks[0] = false; // no savepoints, as the exception says
                    return keepOne(turn);
                }
                keepOne(turn);
                Turn.Mark later = turn.mark();
                keepOne(turn);
                later.undo();
                keepOne(turn);
                mark.undo();
                assertThatThrownBy(later::undo).isInstanceOf(IllegalStateException.class);
                keepOne(turn);
                mark.undo();
                return keepOne(turn);
            });
            assertThat(number).isEqualTo(expected);
            if (!marks[0]) {
                break;
            }
        }
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(numbers(1, kept().size()));
    }

    @Test
    void prepares_each_unit_on_its_own_thread_and_shows_a_failure_of_that_to_its_caller() throws Exception {
        storeWith("s");
        ConcurrentLinkedQueue<Thread> prepared = new ConcurrentLinkedQueue<>();
        ThreadLocal<Boolean> refused = ThreadLocal.withInitial(() -> false);
        UnitStart<T> start = transaction -> {
            prepared.add(Thread.currentThread());
            if (refused.get()) {
                throw new Refused("not prepared");
            }
        };
        StoreSequences sequences = sequences(StoreSequences.builder(store).patience(LIMIT));
        GroupedSequence<T> sequence = sequences.grouped("s", store, start);
        assertThat(sequences.grouped("s", store, start)).isSameAs(sequence);
        assertThatThrownBy(() -> sequences.grouped("s", store))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("another start");
        new Crowd(CALLERS, 5).each((caller, turn) -> {
            refused.set(turn == 3);
            if (turn == 3) {
                assertThatThrownBy(() -> sequence.commit(this::keepOne))
                        .isInstanceOf(SequenceException.Misconfigured.class)
                        .hasMessageContaining("not prepared");
            } else {
                sequence.commit(this::keepOne);
            }
        });
        assertThat(prepared.size()).isGreaterThanOrEqualTo(CALLERS * 5);
        assertThat(prepared.stream().distinct().count()).isEqualTo(CALLERS);
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(numbers(1, CALLERS * 4));
    }

    @Test
    void takes_no_rightful_way_back_for_a_lost_one() throws Exception {
        GroupedSequence<T> sequence =
                grouped(storeWith(SequenceDefinition.named("s").maxValue(4L).cycle(true)));
        for (long expected : new long[] {1, 2, 3, 4, 1, 2}) {
            assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(expected);
        }
        store.restart("s", 1);
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
        Reservation others = store.reserve("s", 2);
        // It sees the others' values and draws nothing; then they return them.
        sequence.<Boolean, RuntimeException>commit(turn -> true);
        assertThat(store.giveBack("s", others.block(), others.epoch())).isTrue();
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(2);
        store.alter("s", definition -> definition.toBuilder().maxValue(100L).build());
        store.raise("s", 50);
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(50);
        store.drop("s");
        store.create(SequenceDefinition.of("s"));
        assertThat(sequence.<Long, RuntimeException>commit(Turn::next)).isEqualTo(1);
    }

    @Test
    void stops_when_the_counter_has_gone_back() throws Exception {
        GroupedSequence<T> sequence = grouped(hooks.groups(storeWith("s")));
        sequence.commit(this::keepOne);
        SequenceState backup = store.describe("s");
        assertThat(sequence.commit(turn -> turn.next(3)).last()).isEqualTo(4);
        hooks.instead("counter", call -> backup);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> sequence.commit(this::keepOne))
                    .isInstanceOf(SequenceException.Regressed.class)
                    .hasMessageContaining("dealt 2 after 4");
        }
        assertThat(kept()).containsExactly(1L);
    }

    private long keepOne(Turn<T> turn) throws Exception {
        long number = turn.next();
        keep(turn.transaction(), number);
        return number;
    }

    private long refuse(Turn<T> turn) throws Exception {
        keepOne(turn);
        throw new Refused("refused");
    }

    private void assertGapless(int committed) throws Exception {
        assertThat(kept()).containsExactlyInAnyOrderElementsOf(numbers(1, committed));
        assertThat(store.describe("s").nextValue()).isEqualTo(committed + 1);
    }

    private GroupedSequence<T> grouped(GroupingStore<T> groups) {
        return grouped(groups, LIMIT);
    }

    private GroupedSequence<T> grouped(GroupingStore<T> groups, Duration patience) {
        return sequences(StoreSequences.builder(store).patience(patience)).grouped("s", groups);
    }

    private ExecutorService threads() {
        ExecutorService threads = Executors.newCachedThreadPool();
        closedLater(threads::shutdownNow);
        return threads;
    }
}
