// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.Ledger;
import dev.seriatim.engine.Schedule;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One counter in a store whose calls, waits and failures a {@link Schedule} determines. Every call hands over, and
 * while there is trouble it may be slow, hang, or throw anything, before or after its commit.
 *
 * <p>A transaction holds the counter's row from its first draw to its end, and has savepoints. For the accounts, what
 * it has done is recorded separately from its answers.
 */
public final class PlayedStore
        implements ConfirmingStore, SequenceCatalog, GroupingStore<PlayedStore.Work>, PoolingStore<PlayedStore.Work> {

    private static final long MILLI = 1_000_000L;

    private final Schedule schedule;
    private final Ledger ledger;
    private final InMemoryPool pool = new InMemoryPool();
    private final ArrayDeque<Schedule.Actor> queue = new ArrayDeque<>();
    private final long longest;
    private final int lag;

    /** Faults of a store that the checks must detect. */
    public enum Flaw {
        NONE,
        DEALS_TWICE,
        SKIPS,
        NEVER_ANSWERS
    }

    /** Percentage of calls that meet trouble. */
    public int trouble;

    public Flaw flaw = Flaw.NONE;

    /** Whether calls hang during trouble. */
    public boolean hangs = true;

    /** Whether shared transactions have savepoints. */
    public boolean savepoints = true;

    /** Whether requests and answers take time. */
    public boolean instant;

    /** Number of calls that hang. */
    public int hanging;

    /** Number of reservations whose commit was not answered. */
    public int unknown;

    /** Stored numbers, in the order of their commits. */
    public final List<Entry> committed = new ArrayList<>();

    private final Set<Long> numbers = new HashSet<>();
    final List<Work> open = new ArrayList<>();

    public SequenceState state;
    private boolean held;

    /** Whether the counter goes back once, as when a backup is restored, while no reservation is running. */
    public boolean restores;

    /** How often a process received values that it had received before, or lower ones. */
    public int repeated;

    /** The last failed attempt of each actor to give values back. */
    public final Map<Schedule.Actor, Block> refused = new HashMap<>();

    private final List<SequenceState> backups = new ArrayList<>();
    private int asking;
    private boolean answered;
    private long highest;

    /** A number that a transaction has stored, and the unit that stored it. */
    public record Entry(long number, int unit) {}

    /** A driver class that fails to load. */
    static final class Refusal extends LinkageError {
        private static final long serialVersionUID = 1L;

        Refusal() {
            super("a driver class that fails to load");
        }
    }

    public PlayedStore(Schedule schedule, Ledger ledger, SequenceDefinition definition, Duration longest) {
        this.schedule = schedule;
        this.ledger = ledger;
        this.longest = longest.toNanos();
        state = SequenceState.fresh(definition, 1);
        lag = schedule.chance(40) ? 4 : 1;
    }

    // Reservations in separate transactions

    @Override
    public Reservation reserve(String name, long count) {
        return asked("reserve " + count, () -> {
            before(name);
            hold(name, longest, false);
            Reservation reservation;
            try {
                schedule.offer("reserves");
                SequenceState.Taken taken = state.take(count);
                reservation = taken.reservation();
                state = flawed(taken);
            } finally {
                letGo();
            }
            after(name);
            ledger.reserved(name, reservation.block());
            return reservation;
        });
    }

    /** See {@link ImmediateStore#reserveNow}: empty if the row is locked, or at random. */
    public Optional<Reservation> reserveNow(String name, long count) {
        return asked("reserve now " + count, () -> {
            if (held || strikes()) {
                if (strikes()) {
                    throw thrown(name);
                }
                return Optional.empty();
            }
            SequenceState.Taken taken = state.take(count);
            state = taken.after();
            if (strikes()) {
                throw lostAnswer(name);
            }
            ledger.reserved(name, taken.reservation().block());
            return Optional.of(taken.reservation());
        });
    }

    // Reads

    @Override
    public SequenceState read(String name) {
        return call("read", () -> {
            long atMost = longest * 6;
            latency(1);
            readMeetsTrouble(name, atMost);
            schedule.offer("reads");
            SequenceState counter = isolated();
            readMeetsTrouble(name, atMost);
            latency(lag);
            return counter;
        });
    }

    /** Its time counts as the caller's: only what is longer than {@code atMost} is the store's. */
    @Override
    public Optional<SequenceState> readHere(String name, Duration atMost) {
        schedule.offer("read here");
        if ((!instant && schedule.chance(30)) || (atMost.isZero() && strikes())) {
            return Optional.empty();
        }
        if (atMost.isZero()) {
            return Optional.of(isolated());
        }
        long end = schedule.now() + atMost.toNanos();
        latency(1);
        schedule.offer("reads here");
        SequenceState counter = isolated();
        if (strikes()) {
            if (schedule.chance(30)) {
                throw error();
            }
            long left = end - schedule.now();
            schedule.sleep(left <= 0 ? 0 : schedule.chance(50) ? left : left / 2, "reads slowly");
        }
        return end - schedule.now() <= 0 ? Optional.empty() : Optional.of(counter);
    }

    /** Without what open transactions have drawn. */
    private SequenceState isolated() {
        return open.stream()
                .filter(work -> work.holds && work.before != null)
                .findFirst()
                .map(work -> Objects.requireNonNull(work.before))
                .orElse(state);
    }

    private void readMeetsTrouble(String name, long atMost) {
        if (strikes()) {
            switch (schedule.pick(4)) {
                case 0 -> schedule.sleep(Math.min(atMost, schedule.pick(40) * MILLI), "is slow");
                case 1 -> hang(atMost);
                case 2 -> throw new SequenceException.Unavailable(name, "the connection broke", null);
                default -> {
                    if (schedule.chance(50)) {
                        throw error();
                    }
                    throw new NoSuchElementException("a failure of the store");
                }
            }
        }
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return call("give back " + unused, () -> {
            refused.put(schedule.me(), unused);
            try {
                before(name);
                Optional<SequenceState> back = state.giveBack(unused, epoch);
                back.ifPresent(given -> state = given);
                after(name);
                if (back.isPresent()) {
                    refused.remove(schedule.me());
                }
                return back.isPresent();
            } catch (Throwable e) {
                if (!Reserver.nothingDone(e)) {
                    ledger.dealt(name, unused); // given back or not: the outcome is unknown
                }
                throw e;
            }
        });
    }

    /**
     * Makes a reservation. None is running when the counter goes back, because old answers could not be told from new
     * ones.
     */
    private <R> R asked(String what, Supplier<R> reservation) {
        if (restores && asking == 0 && !backups.isEmpty() && schedule.chance(10)) {
            restores = false;
            state = backups.get(schedule.pick(backups.size()));
            schedule.note("the counter goes back: " + state);
        }
        boolean before = answered;
        long seen = highest;
        asking++;
        try {
            if (restores) {
                backups.add(state);
            }
            R answer = call(what, reservation);
            Block block = answer instanceof Reservation taken
                    ? taken.block()
                    : answer instanceof Optional<?> now && now.isPresent() ? ((Reservation) now.get()).block() : null;
            if (block != null) {
                repeated += before && block.first() <= seen ? 1 : 0;
                answered = true;
                highest = Math.max(highest, block.last());
            }
            return answer;
        } finally {
            asking--;
        }
    }

    /** Returns the counter after a reservation. */
    private SequenceState flawed(SequenceState.Taken taken) {
        return switch (schedule.chance(30) ? flaw : Flaw.NONE) {
            case DEALS_TWICE -> state;
            case SKIPS -> taken.after().take(1).after();
            default -> taken.after();
        };
    }

    // Inside a caller's transaction

    /** A transaction, which the caller begins and ends. */
    public final class Work {
        private final List<Entry> entries = new ArrayList<>();
        private final List<Long> places = new ArrayList<>();
        private @Nullable SequenceState before;
        private boolean holds;
        private boolean spoiled;
        boolean ended;

        private Work() {
            open.add(this);
        }

        /** Stores a number. */
        public void enter(long number, int unit) {
            if (spoiled) {
                throw new IllegalArgumentException("nothing works since a statement failed");
            }
            entries.add(new Entry(number, unit));
        }

        /** Runs a statement that fails, so that all later ones fail. */
        public void spoil() {
            spoiled = true;
        }

        boolean spoiled() {
            return spoiled;
        }

        /** Marks a point to roll back to. */
        public Runnable savepoint() {
            int entered = entries.size();
            int claimed = places.size();
            SequenceState then = state;
            boolean held = holds;
            return () -> {
                entries.subList(entered, entries.size()).clear();
                List<Long> later = places.subList(claimed, places.size());
                pool.settle(List.copyOf(later), false);
                later.clear();
                if (holds) {
                    state = held ? then : Objects.requireNonNull(before);
                }
                spoiled = false;
            };
        }

        public void commit() {
            for (Entry entry : entries) {
                if (!numbers.add(entry.number)) {
                    schedule.fault(entry.number + " is committed twice");
                }
            }
            committed.addAll(entries);
            end(true);
        }

        public void rollBack() {
            if (holds && before != null) {
                state = before;
            }
            end(false);
        }

        private void end(boolean kept) {
            ended = true;
            open.remove(this);
            pool.settle(places, kept);
            if (holds) {
                holds = false;
                letGo();
            }
        }
    }

    public Work begin() {
        return new Work();
    }

    @Override
    public Reservation reserve(Work transaction, String name, long count) {
        throw new AssertionError("a draw in a caller's transaction without a patience");
    }

    @Override
    public Reservation reserve(Work transaction, String name, long count, Duration patience) {
        return call("draw " + count, () -> {
            before(name, patience.toNanos());
            holdFor(transaction, name, patience.toNanos(), true);
            SequenceState.Taken taken = state.take(count);
            state = flawed(taken);
            if (strikes()) {
                throw thrown(name);
            }
            return taken.reservation();
        });
    }

    private void holdFor(Work transaction, String name, long patience, boolean interruptible) {
        if (transaction.ended) {
            throw new AssertionError("a draw in a transaction that has ended");
        }
        if (!transaction.holds) {
            hold(name, patience, interruptible);
            transaction.holds = true;
            transaction.before = state;
        }
    }

    // Pools

    @Override
    public Pool<Work> pool(String name) {
        return new Pool<>() {
            private long seen;

            @Override
            public Claim claim(Work transaction, int count) {
                throw new AssertionError("a claim without a patience");
            }

            @Override
            public Claim claim(Work transaction, int count, Duration patience) {
                return call("claim " + count, () -> {
                    before(name, patience.toNanos());
                    Claim claim = seen == 0 ? new Claim(List.of(), 0, false) : pool.claim(count, transaction.places);
                    if (strikes()) {
                        throw thrown(name);
                    }
                    return claim;
                });
            }

            @Override
            public Extent layOut(long count) {
                return call("lay out " + count, () -> {
                    before(name);
                    hold(name, longest, false);
                    Extent extent;
                    try {
                        schedule.offer("lays out");
                        extent = pool.last() == seen ? pool.layOut(unlessHeld(count)) : pool.look();
                    } finally {
                        letGo();
                    }
                    after(name);
                    seen = extent.last();
                    return extent;
                });
            }

            private @Nullable Block unlessHeld(long count) {
                try {
                    SequenceState.Taken taken = state.take(count);
                    state = taken.after();
                    return taken.reservation().block();
                } catch (SequenceException.Exhausted e) {
                    if (pool.has(any -> true)) {
                        return null;
                    }
                    throw e;
                }
            }
        };
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        return pool.state(1);
    }

    /** Returns what has been laid out or drawn but not committed; empty if everything is committed. */
    public String uncommitted() {
        boolean drawn = open.stream().anyMatch(work -> work.before != null && !work.before.equals(state));
        return (pool.has(any -> true) ? "numbers are in the pool: " + pool.state(1) : "")
                + (drawn ? "numbers are drawn, and not committed" : "");
    }

    /** Checks that the committed numbers and those in the pool together are exactly start … counter. */
    public void checkGapless() {
        SequenceDefinition definition = state.definition();
        SequenceState fresh = SequenceState.fresh(definition, 1);
        long next = fresh.nextValue();
        long end = state.equals(fresh) ? next : state.lastDealt() + 1;
        int found = 0;
        for (long number = next; number < end; number++) {
            long here = number;
            boolean free = pool.has(n -> n == here);
            boolean used = numbers.contains(number);
            if (free == used) {
                schedule.fault(
                        number + (free ? " is committed, and in the pool" : " is missing among what is committed"));
            }
            found += used ? 1 : 0;
        }
        if (found != numbers.size()) {
            schedule.fault("a committed number is beyond the counter: " + numbers + ", counter " + state);
        }
        if (!open.isEmpty()) {
            schedule.fault(open.size() + " transactions were never ended");
        }
    }

    /** Checks that numbers rise in the order of the commits. */
    public void checkRising() {
        for (int i = 1; i < committed.size(); i++) {
            if (committed.get(i).number <= committed.get(i - 1).number) {
                schedule.fault(
                        "out of order among what is committed: " + committed.get(i) + " after " + committed.get(i - 1));
            }
        }
    }

    /** Returns whether a transaction, or a hanging call, holds the row. */
    public boolean held() {
        return held;
    }

    // Shared transactions

    /** A unit's conflict with another session. */
    public static final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Conflict() {
            super("a conflict", null, false, false);
        }
    }

    @Override
    public SharedTransaction<Work> begin(String name) {
        return call("begin", () -> {
            before(name);
            Work work = new Work();
            try {
                holdFor(work, name, longest, false);
                if (strikes()) {
                    throw thrown(name);
                }
            } catch (Throwable e) {
                work.rollBack();
                throw e;
            }
            return savepoints ? new Marked(name, work) : new Plain(name, work);
        });
    }

    @Override
    public boolean answers(String name) {
        schedule.offer("asks whether the store answers");
        return schedule.chance(50);
    }

    private class Plain implements SharedTransaction<Work> {
        final String name;
        final Work work;
        private final SequenceState locked = state;
        private boolean ending;

        Plain(String name, Work work) {
            this.name = name;
            this.work = work;
        }

        @Override
        public Work handle(Drawn drawn) {
            return work;
        }

        @Override
        public SequenceState counter() {
            return locked;
        }

        @Override
        public Blame blame(Throwable thrown) {
            if (thrown instanceof Conflict) {
                return Blame.OTHER_SESSION;
            }
            return work.spoiled ? Blame.EARLIER_UNIT : Blame.UNIT;
        }

        @Override
        public void commit(SequenceState counter) {
            endsOnce("committed");
            call("commit", () -> {
                try {
                    before(name);
                    if (work.spoiled) {
                        throw new SequenceException.Misconfigured(name, "a unit failed without reporting it");
                    }
                } catch (Throwable e) {
                    work.rollBack();
                    throw e;
                }
                schedule.offer("commits");
                state = counter;
                work.commit();
                after(name);
                return null;
            });
        }

        @Override
        public void rollback() {
            endsOnce("rolled back");
            call("roll back", () -> {
                try {
                    before(name);
                } finally {
                    work.rollBack();
                }
                return null;
            });
        }

        private void endsOnce(String how) {
            if (ending) {
                schedule.fault("a transaction was " + how + " that had been ended");
            }
            ending = true;
        }
    }

    private final class Marked extends Plain implements SavepointTransaction<Work> {
        Marked(String name, Work work) {
            super(name, work);
        }

        @Override
        public Mark mark() {
            return call("mark", () -> {
                if (strikes()) {
                    throw thrown(name);
                }
                if (work.spoiled) {
                    throw new SequenceException.Misconfigured(name, "a unit failed without reporting it");
                }
                Runnable back = work.savepoint();
                return () -> call("undo", () -> {
                    if (strikes()) {
                        throw thrown(name);
                    }
                    back.run();
                    return null;
                });
            });
        }
    }

    // The row

    private void hold(String name, long patience, boolean interruptible) {
        Schedule.Actor me = schedule.me();
        long end = schedule.now() + patience;
        queue.add(me);
        try {
            while (held || queue.peek() != me) {
                if (end - schedule.now() <= 0) {
                    throw new SequenceException.Overloaded(name, "its row stayed locked", null);
                }
                Schedule.Wake why = schedule.await(end - schedule.now(), interruptible, "waits for the row");
                if (why == Schedule.Wake.INTERRUPT) {
                    throw new SequenceException.Unavailable(name, "interrupted while waiting for its row", null);
                }
            }
            held = true;
        } finally {
            queue.remove(me);
            if (!held) {
                wakeNext();
            }
        }
    }

    private void letGo() {
        held = false;
        wakeNext();
    }

    private void wakeNext() {
        Schedule.Actor next = queue.peek();
        if (next != null) {
            schedule.wake(next);
        }
    }

    // Trouble

    private <R> R call(String what, Supplier<R> call) {
        Schedule.Actor me = schedule.me();
        long began = schedule.now();
        if (schedule.tracing()) {
            schedule.note(what + " …");
        }
        try {
            schedule.offer(what);
            while (flaw == Flaw.NEVER_ANSWERS) {
                schedule.await(Long.MAX_VALUE, false, what);
            }
            R result = call.get();
            if (schedule.tracing()) {
                schedule.note("… " + what + (result instanceof Reservation r ? ": " + r.block() : " has answered"));
            }
            return result;
        } catch (Throwable e) {
            if (schedule.tracing()) {
                schedule.note("… " + what + " throws " + e);
            }
            throw e;
        } finally {
            me.storeNanos += schedule.now() - began;
        }
    }

    private boolean strikes() {
        return trouble > 0 && schedule.chance(trouble);
    }

    private void before(String name) {
        before(name, longest * 6);
    }

    /** Before any work has been done. */
    private void before(String name, long atMost) {
        latency(1);
        if (strikes()) {
            switch (schedule.pick(4)) {
                case 0 -> schedule.sleep(Math.min(atMost, schedule.pick(40) * MILLI), "is slow");
                case 1 -> {
                    hang(atMost);
                    if (schedule.chance(60)) {
                        throw new SequenceException.Unavailable(name, "the connection broke", null);
                    }
                }
                default -> throw thrown(name);
            }
        }
    }

    /** After the commit. */
    private void after(String name) {
        if (strikes()) {
            switch (schedule.pick(4)) {
                case 0 -> schedule.sleep(schedule.pick(40) * MILLI, "is slow to answer");
                case 1 -> {
                    hang(longest * 6);
                    if (schedule.chance(60)) {
                        throw lostAnswer(name);
                    }
                }
                default -> throw lostAnswer(name);
            }
        }
        latency(lag);
    }

    private void hang(long atMost) {
        if (!hangs) {
            return;
        }
        hanging++;
        schedule.sleep(Math.min(atMost, longest + schedule.pick(1000) * longest / 200), "hangs");
        hanging--;
    }

    /** The latency of a request, or the longer one of an answer. */
    private void latency(int times) {
        if (!instant && schedule.chance(50)) {
            schedule.sleep((long) times * schedule.pick(2000) * Math.min(1000, longest / 20_000), "is on its way");
        }
    }

    /** Returns the exception for a lost answer to a commit, declared or undeclared. */
    private RuntimeException lostAnswer(String name) {
        unknown++;
        if (schedule.chance(30)) {
            throw error();
        }
        return schedule.chance(20)
                ? new NoSuchElementException("a failure of the store after the commit")
                : new SequenceException.CommitOutcomeUnknown(name, null);
    }

    /** Returns the exception for a call that has done nothing. */
    private RuntimeException thrown(String name) {
        switch (schedule.pick(6)) {
            case 0, 1 -> {
                return new SequenceException.Unavailable(name, "down", null);
            }
            case 2 -> {
                return new SequenceException.Overloaded(name, "another session caused a conflict", null);
            }
            case 3 -> {
                return new SequenceException.Misconfigured(name, "refused");
            }
            case 4 -> {
                unknown++;
                return new NoSuchElementException("a failure of the store");
            }
            default -> {
                unknown++;
                throw error();
            }
        }
    }

    private Error error() {
        return switch (schedule.pick(3)) {
            case 0 -> new OutOfMemoryError("of the store");
            case 1 -> new StackOverflowError("of the store");
            default -> new Refusal();
        };
    }

    // The rest of the catalogue, which is not used here

    @Override
    public void create(SequenceDefinition definition) {
        throw new UnsupportedOperationException("create");
    }

    @Override
    public SequenceState describe(String name) {
        return state;
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, SequenceException.Misconfigured> broken) {
        return List.of(state);
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        throw new UnsupportedOperationException("alter");
    }

    /** By another session, which waits for the row. */
    @Override
    public SequenceState raise(String name, long value) {
        return changed(() -> state.raisedTo(Math.min(value, state.definition().max())));
    }

    /** {@inheritDoc} Never to a lower value than is due. */
    @Override
    public SequenceState restart(String name, long value) {
        return changed(() -> state.restartedWith(
                Math.min(Math.max(value, state.nextValue()), state.definition().max())));
    }

    private SequenceState changed(Supplier<SequenceState> change) {
        hold(state.definition().name(), Long.MAX_VALUE / 2, false);
        try {
            state = state.usedUp() ? state : change.get();
            schedule.note("another session has moved the counter: " + state);
            return state;
        } finally {
            letGo();
        }
    }

    @Override
    public void drop(String name) {
        throw new UnsupportedOperationException("drop");
    }

    @Override
    public String toString() {
        return "the store"; // messages name it, and a schedule plays the same each time
    }
}
