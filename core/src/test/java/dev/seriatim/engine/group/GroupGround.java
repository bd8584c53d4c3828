// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.SequenceListener;
import dev.seriatim.Turn;
import dev.seriatim.UnitOfWork;
import dev.seriatim.UnitStart;
import dev.seriatim.engine.LoneTiming;
import dev.seriatim.engine.dispatch.Listeners;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.store.AwaitingStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * Callers of GROUPED on one thread, with a clock that the test controls: the test runs the steps of several callers in
 * the order it chooses, and determines what their store does.
 */
abstract class GroupGround {

    static final Duration PATIENCE = Duration.ofMillis(400);
    static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    static final long HALF = PATIENCE.toNanos() / 2;
    static final long FAILURE_PAUSE = 10 * MILLI;
    static final long CONFLICT_PAUSE = MILLI / 2;

    /** Half a millisecond with random jitter, which here is the highest possible. */
    static final long OWN_PAUSE = MILLI * 3 / 4 - 1;

    static final String CLOSED = "sequence 's' is closed; reopen it";
    static final String NO_ANSWER = "sequence 's': no answer from the store within 400 ms, nothing was committed;"
            + " check that it runs and is reachable, and that no transaction holds the lock on this sequence; the next call"
            + " tries again";
    static final String NO_LOCK = "sequence 's': no lock on its counter within 400 ms although the store answers, so"
            + " another transaction holds it, or the connection is stuck; nothing was committed, end that transaction or"
            + " wait longer";
    static final String NO_TURN = "sequence 's': no turn within 400 ms although the store answers, nothing was"
            + " committed; make the units of work shorter, or wait longer";

    static final Thread ELSEWHERE = new Thread("another caller");

    final SequenceException down = new Unavailable("s", "connection refused; start the server", null);
    final SequenceException locked = new Overloaded("s", "another session is in the way", null);
    final LoneTiming timing = new LoneTiming();
    final Store store = new Store();

    /** The calls of the store. */
    final List<String> log = new ArrayList<>();

    /** The events of the listener. */
    final List<String> told = new ArrayList<>();

    Duration patience = PATIENCE;
    Executor executor = timing;
    UnitStart<? super Rows> start = GroupLine.NO_START;
    int closings;
    GroupLine<Rows> line = line();

    /** A failed assertion in a hook, which the line takes for a failure of the store or of a unit. */
    private @Nullable AssertionError wrong;

    @AfterEach
    void nothing_was_wrong() {
        assertThat(Thread.interrupted()).isFalse();
        assertThat(timing.locked()).isFalse();
        if (wrong != null) {
            throw wrong;
        }
    }

    // How to play

    /** A caller whose steps the test runs instead of its own thread. */
    final class Caller {
        final UnitOfWork<Rows, Long, RuntimeException> unit;
        final Member<Rows> member = line.join();

        @Nullable
        Group<Rows> group;

        @Nullable
        Long result;

        /** The exception that its unit threw, or that it received instead. */
        @Nullable
        Throwable thrown;

        Caller(UnitOfWork<Rows, Long, RuntimeException> unit) {
            this.unit = unit;
        }

        /** Takes its turn, and runs its unit if it still wants to. */
        void goes() {
            group = line.takeTurn(member);
            ends();
        }

        /** Takes its turn; its unit runs on its own thread until {@link #ends}. */
        void takes() {
            group = Objects.requireNonNull(line.takeTurn(member));
            group.slot.worker = ELSEWHERE;
        }

        /** Runs its unit on the test's thread. */
        void worksHere() {
            Objects.requireNonNull(group).slot.worker = Thread.currentThread();
        }

        void ends() {
            Group<Rows> turn = group;
            if (turn != null) {
                try {
                    result = line.run(unit, member, turn);
                } catch (Throwable e) {
                    thrown = e;
                }
            }
        }

        /** Returns its result after the commit. */
        long gets() {
            assertThat(thrown).isNull();
            assertThat(member.place).isEqualTo(Member.Place.COMMITTED);
            assertThat(line.called(member)).isFalse();
            return Objects.requireNonNull(result);
        }

        /** Waits until it has failed. */
        Throwable hears() {
            return catchThrowable(() -> line.called(member));
        }

        boolean has(Member.Place place) {
            return member.place == place;
        }

        boolean hasItsAnswer() {
            return thrown != null || has(Member.Place.COMMITTED) || has(Member.Place.FAILED);
        }
    }

    Caller caller() {
        return new Caller(this::stored);
    }

    Caller caller(UnitOfWork<Rows, Long, RuntimeException> unit) {
        return new Caller(unit);
    }

    List<Caller> callers(int count) {
        return IntStream.range(0, count).mapToObj(i -> caller()).toList();
    }

    static List<Caller> called(Caller... callers) {
        return Arrays.stream(callers)
                .filter(caller -> caller.has(Member.Place.CALLED))
                .toList();
    }

    static List<Caller> committed(Caller... callers) {
        return Arrays.stream(callers)
                .filter(caller -> caller.has(Member.Place.COMMITTED))
                .toList();
    }

    /** Lets everything run until each caller has its answer. */
    void play(Caller... callers) {
        for (int step = 0; step < 2000; step++) {
            List<Caller> called = called(callers);
            if (!called.isEmpty()) {
                called.get(0).goes();
            } else if (Arrays.stream(callers).allMatch(Caller::hasItsAnswer)) {
                return;
            } else {
                timing.park(this, MILLI);
            }
        }
        throw new AssertionError("a caller has no answer");
    }

    void playTwo() {
        play(caller(), caller());
    }

    /** Makes a unit fail, which later groups remember. */
    void fail() {
        Caller throwing = caller(this::throwing);
        timing.run();
        throwing.goes();
        assertThat(throwing.thrown).isSameAs(thrownByUnit);
    }

    /** Returns a caller whose unit had a conflict twice, and will not have another. */
    Caller apart() {
        Caller caller = caller(conflicting(2));
        timing.run();
        caller.goes();
        timing.run();
        timing.pass(CONFLICT_PAUSE);
        runs();
        caller.goes();
        timing.run();
        assertThat(line.apart).containsExactly(caller.member);
        return caller;
    }

    /** Runs all submitted tasks, and those that follow from them. */
    void runs() {
        for (int step = 0; step < 100 && !timing.tasks.isEmpty(); step++) {
            timing.run();
        }
        assertThat(timing.tasks).isEmpty();
    }

    /** Removes the task that was submitted first, as if it hung. */
    Runnable hang() {
        return timing.tasks.remove();
    }

    void pausesFor(long nanos) {
        timing.pass(nanos - 1);
        assertThat(timing.tasks).as("a nanosecond before").isEmpty();
        timing.pass(1);
        assertThat(timing.tasks).as("after %d us", nanos / 1000).hasSize(1);
    }

    /** Wakes a waiting caller after some time, for any reason, to check its state. */
    void looksAfter(Caller caller, long nanos) {
        RuntimeException enough = new RuntimeException("it has looked");
        timing.tasks.addFirst(() -> {
            throw enough;
        });
        timing.tasks.addFirst(() -> timing.pass(nanos));
        assertThat(catchThrowable(() -> line.called(caller.member))).isSameAs(enough);
    }

    Throwable hearsAtTheEnd(Caller caller) {
        timing.pass(patience.toNanos());
        return caller.hears();
    }

    void interrupted(Caller caller) {
        interrupted(caller, Unavailable.class);
    }

    static void interrupted(Caller caller, Class<? extends SequenceException> hears) {
        Thread.currentThread().interrupt();
        assertThat(caller.hears()).isInstanceOf(hears);
        assertThat(Thread.interrupted()).isTrue();
    }

    // Units

    final Own thrownByUnit = new Own();

    static final class Conflict extends RuntimeException {
        static final long serialVersionUID = 1L;
    }

    static final class Own extends RuntimeException {
        static final long serialVersionUID = 1L;

        Own() {
            super("a unit's own", null, false, false);
        }
    }

    /** Even its message cannot be read. */
    static final class Unshowable extends RuntimeException {
        static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new StackOverflowError("no text");
        }
    }

    long stored(Turn<Rows> turn) {
        outside();
        Rows rows = turn.transaction();
        if (rows.spoiled) {
            throw new IllegalStateException("nothing works since a statement failed");
        }
        long number = turn.next();
        rows.numbers.add(number);
        return number;
    }

    Long throwing(Turn<Rows> turn) {
        turn.transaction().numbers.add(turn.next());
        throw thrownByUnit;
    }

    static Long conflict(Turn<Rows> turn) {
        turn.transaction().numbers.add(turn.next());
        throw new Conflict();
    }

    /** Returns a unit that has this many conflicts with another session. */
    UnitOfWork<Rows, Long, RuntimeException> conflicting(int times) {
        int[] left = {times};
        return turn -> left[0]-- > 0 ? conflict(turn) : (Long) stored(turn);
    }

    static String numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList().toString();
    }

    static Runnable failing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    static Runnable once(RuntimeException failure) {
        boolean[] over = {false};
        return () -> {
            if (!over[0]) {
                over[0] = true;
                throw failure;
            }
        };
    }

    /** Checks that the lock is not held while other code is called. */
    private void outside() {
        if (timing.locked()) {
            wrong = new AssertionError("called under the lock");
        }
    }

    void patience(Duration howLong) {
        patience = howLong;
        line = line();
    }

    GroupLine<Rows> line() {
        return new GroupLine<>(context(), store, start);
    }

    SequenceContext context() {
        return context("s");
    }

    SequenceContext context(String name) {
        return new SequenceContext(
                name, new Listeners(new Telling()), task -> executor.execute(task), timing, patience, () -> closings++);
    }

    static SequenceState fresh() {
        return SequenceState.fresh(SequenceDefinition.of("s"), 1);
    }

    /** The transaction of units. */
    static final class Rows {
        final List<Long> numbers = new ArrayList<>();

        /** A statement has failed, so all others fail. */
        boolean spoiled;
    }

    /** Locks nothing: the test determines which caller waits for which. */
    final class Store implements GroupingStore<Rows>, AwaitingStore {

        @Override
        public String toString() {
            return "the store";
        }

        final List<Long> committed = new ArrayList<>();
        final List<Duration> awaitedFor = new ArrayList<>();
        SequenceState counter = fresh();
        List<Long> sent = List.of();
        boolean savepoints;

        /** Callers' threads may call it. */
        boolean here;

        /** How long it may take on callers' threads. */
        final List<Duration> limits = new ArrayList<>();

        boolean answers;
        boolean bringsNothing;
        boolean countsNothing;
        String awaited = "";
        Runnable beginning = Groups.NOTHING;
        Runnable beginningHere = Groups.NOTHING;
        Runnable counting = Groups.NOTHING;
        Runnable marking = Groups.NOTHING;
        Runnable undoing = Groups.NOTHING;
        Runnable committing = Groups.NOTHING;
        Runnable ending = Groups.NOTHING;
        Runnable blaming = Groups.NOTHING;
        Runnable answering = Groups.NOTHING;
        Runnable awaiting = Groups.NOTHING;

        void happens(String what, Runnable hook) {
            outside();
            log.add(what);
            hook.run();
        }

        @Override
        @SuppressWarnings("NullAway") // like a store that breaks its contract
        public SharedTransaction<Rows> begin(String name) {
            happens("begin", beginning);
            return bringsNothing ? null : savepoints ? new Marked(counter) : new Plain(counter);
        }

        @Override
        public Optional<SharedTransaction<Rows>> beginHere(String name, Duration atMost) {
            if (!here) {
                return Optional.empty();
            }
            limits.add(atMost);
            happens("begin here", beginningHere);
            return Optional.of(new Plain(counter));
        }

        @Override
        public boolean answers(String name) {
            happens("answers?", answering);
            return answers;
        }

        @Override
        public Optional<String> awaits(Duration atLeast) {
            awaitedFor.add(atLeast);
            awaiting.run();
            return awaited.isEmpty() ? Optional.empty() : Optional.of(awaited);
        }
    }

    private class Plain implements SharedTransaction<Rows> {
        final SequenceState found;
        final Rows rows = new Rows();

        Plain(SequenceState found) {
            this.found = found;
        }

        @Override
        public Rows handle(Drawn drawn) {
            return rows;
        }

        @Override
        @SuppressWarnings("NullAway") // like a store that breaks its contract
        public SequenceState counter() {
            store.counting.run();
            return store.countsNothing ? null : found;
        }

        @Override
        public Blame blame(Throwable thrown) {
            store.blaming.run();
            if (thrown instanceof Conflict) {
                return Blame.OTHER_SESSION;
            }
            return rows.spoiled ? Blame.EARLIER_UNIT : Blame.UNIT;
        }

        @Override
        public void commit(SequenceState after) {
            commit("commit ", after);
        }

        @Override
        public boolean commitHere(SequenceState after, Duration atMost) {
            if (!store.here) {
                return false;
            }
            store.limits.add(atMost);
            commit("commit here ", after);
            return true;
        }

        private void commit(String what, SequenceState after) {
            store.sent = rows.numbers;
            store.happens(what + rows.numbers, store.committing);
            if (rows.spoiled) {
                throw new Misconfigured("s", "a unit failed without reporting it");
            }
            store.counter = after;
            store.committed.addAll(rows.numbers);
        }

        @Override
        public void rollback() {
            store.happens("roll back", store.ending);
        }
    }

    private final class Marked extends Plain implements SavepointTransaction<Rows> {

        Marked(SequenceState found) {
            super(found);
        }

        @Override
        public Mark mark() {
            store.happens("mark", store.marking);
            int size = rows.numbers.size();
            return () -> {
                store.happens("undo", store.undoing);
                rows.numbers.subList(size, rows.numbers.size()).clear();
                rows.spoiled = false;
            };
        }
    }

    private final class Telling implements SequenceListener {
        @Override
        public void failed(String sequence, SequenceException failure) {
            outside();
            told.add("failed: " + failure.getMessage());
        }
    }
}
