// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.Pool;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of this process, for tests, demonstrations and benchmarks. Nothing survives the process.
 *
 * <p>With a latency, it models the hot row of a database: a reservation keeps its row locked for that long, so
 * reservations of one sequence queue in order of arrival, and a row drawn from inside a transaction stays locked until
 * that transaction ends. Latencies are accurate to about 0.1 ms. Thread-safe.
 */
public final class InMemoryStore
        implements OpenStore, ImmediateStore, ConfirmingStore, GaplessStore<InMemoryTransaction> {

    private static final String PLACE = "memory";
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(60);

    /** Linux may wake a thread late by this much (prctl(2), PR_SET_TIMERSLACK), as long as a quick answer takes. */
    private static final long TIMER_SLACK_NANOS = 50_000;

    private final Map<String, InMemoryRow> rows = new ConcurrentSkipListMap<>();
    private final long latencyNanos;
    private final long readLatencyNanos;
    private final Clock clock;

    /** Above the epochs of dropped sequences, because a fast cycle runs ahead of the clock. Guarded by {@code rows}. */
    private long lowestEpoch;

    public InMemoryStore() {
        this(Duration.ZERO);
    }

    /**
     * Creates an empty store whose reservations take {@code latency}.
     *
     * @throws SequenceException.Misconfigured if a latency is negative
     */
    public InMemoryStore(Duration latency) {
        this(latency, Duration.ZERO);
    }

    /** Like {@link #InMemoryStore(Duration)}; {@linkplain #read reads} take {@code readLatency}, side by side. */
    public InMemoryStore(Duration latency, Duration readLatency) {
        this(latency, readLatency, Clock.systemUTC());
    }

    /** New sequences take their epoch from {@code clock}. */
    InMemoryStore(Duration latency, Duration readLatency, Clock clock) {
        this.latencyNanos = notNegative(latency).toNanos();
        this.readLatencyNanos = notNegative(readLatency).toNanos();
        this.clock = clock;
    }

    private static Duration notNegative(Duration latency) {
        if (latency.isNegative()) {
            throw new SequenceException.Misconfigured("latency must not be negative, not " + latency);
        }
        return latency;
    }

    @Override
    public Reservation reserve(String name, long count) {
        return locked(name, row -> {
            pause(latencyNanos);
            return take(row, count);
        });
    }

    @Override
    public Optional<Reservation> reserveNow(String name, long count) {
        if (latencyNanos > 0) {
            return Optional.empty();
        }
        InMemoryRow row = row(name);
        if (!row.tryLock()) {
            return Optional.empty();
        }
        try {
            return row.dropped ? Optional.empty() : Optional.of(take(row, count));
        } finally {
            row.unlock();
        }
    }

    @Override
    public SequenceState read(String name) {
        SequenceState counter = row(name).committed;
        pause(readLatencyNanos);
        return counter;
    }

    /** {@inheritDoc} Returns empty if reads have a latency: the caller's thread can be interrupted. */
    @Override
    public Optional<SequenceState> readHere(String name, Duration atMost) {
        return readLatencyNanos > 0 ? Optional.empty() : Optional.of(row(name).committed);
    }

    @Override
    public Reservation reserve(InMemoryTransaction transaction, String name, long count) {
        return reserve(transaction, name, count, LOCK_TIMEOUT);
    }

    @Override
    public Reservation reserve(InMemoryTransaction transaction, String name, long count, Duration patience) {
        InMemoryRow row = joined(transaction, name, patience);
        pause(latencyNanos);
        return take(row, count);
    }

    @Override
    public <X extends Exception> long last(
            InMemoryTransaction transaction, String name, Duration patience, GaplessSequence.LastStep<X> step)
            throws X {
        if (transaction.shared) {
            return GaplessStore.super.last(transaction, name, patience, step);
        }
        long number = reserve(transaction, name, 1, patience).block().first();
        boolean done = false;
        try {
            step.run(number);
            done = true;
            return number;
        } finally {
            transaction.end(done);
        }
    }

    @Override
    public boolean giveBack(String name, Block unused, long epoch) {
        return locked(name, row -> putBack(row, unused, epoch));
    }

    @Override
    public <R, X extends Exception> R inTransaction(Work<InMemoryTransaction, R, X> work) throws X {
        InMemoryTransaction transaction = new InMemoryTransaction();
        boolean committed = false;
        try {
            R result = work.run(transaction);
            committed = true;
            return result;
        } finally {
            transaction.end(committed);
        }
    }

    @Override
    public SharedTransaction<InMemoryTransaction> begin(String name) {
        InMemoryTransaction transaction = new InMemoryTransaction();
        transaction.shared = true;
        InMemoryRow row = joined(transaction, name, LOCK_TIMEOUT);
        pause(latencyNanos);
        return new Group(transaction, row, row.state);
    }

    @Override
    public boolean answers(String name) {
        return rows.containsKey(name);
    }

    @Override
    public Pool<InMemoryTransaction> pool(String name) {
        return new Handle(name);
    }

    @Override
    public Optional<PoolState> poolState(String name) {
        InMemoryRow row = row(name);
        return row.pool.state(row.state.definition().increment());
    }

    /** Returns the next values; null if there are none but some may still return to the pool. */
    private static @Nullable Block takenUnlessHeld(InMemoryRow row, long count) {
        try {
            return take(row, count).block();
        } catch (SequenceException.Exhausted e) {
            if (row.pool.has(any -> true)) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public void create(SequenceDefinition definition) {
        synchronized (rows) {
            long epoch = Math.max(clock.millis(), lowestEpoch);
            InMemoryRow row = new InMemoryRow(SequenceState.fresh(definition, epoch));
            if (rows.putIfAbsent(definition.name(), row) != null) {
                throw new SequenceException.AlreadyExists(definition.name(), PLACE);
            }
        }
    }

    @Override
    public SequenceState describe(String name) {
        return row(name).state;
    }

    @Override
    public List<SequenceState> list(BiConsumer<String, SequenceException.Misconfigured> broken) {
        List<SequenceState> states = new ArrayList<>();
        rows.values().forEach(row -> states.add(row.state));
        return states;
    }

    @Override
    public SequenceState alter(String name, UnaryOperator<SequenceDefinition> change) {
        return change(name, (state, pool) -> {
            SequenceState redefined = state.redefined(change.apply(state.definition()));
            SequenceDefinition bounds = redefined.definition();
            if (pool.has(number -> number < bounds.min() || number > bounds.max())) {
                throw SequenceException.Misconfigured.poolOutside(bounds);
            }
            return redefined;
        });
    }

    @Override
    public SequenceState raise(String name, long value) {
        return change(name, (state, pool) -> {
            SequenceState raised = state.raisedTo(value);
            boolean ascending = raised.definition().ascending();
            pool.remove(number -> ascending ? number < value : number > value);
            return raised;
        });
    }

    @Override
    public SequenceState restart(String name, long value) {
        return change(name, (state, pool) -> {
            SequenceState restarted = state.restartedWith(value);
            pool.remove(number -> true);
            return restarted;
        });
    }

    @Override
    public void drop(String name) {
        try {
            locked(name, row -> {
                row.dropped = true;
                synchronized (rows) {
                    lowestEpoch = Math.max(lowestEpoch, row.state.epoch() + 1);
                    return rows.remove(name, row);
                }
            });
        } catch (SequenceException.NotFound e) {
            throw e.whenDropped();
        }
    }

    /** Does nothing; the sequences stay in memory. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return latencyNanos == 0
                ? PLACE
                : PLACE + " with " + TimeUnit.NANOSECONDS.toMicros(latencyNanos) / 1000.0 + " ms per reservation";
    }

    private SequenceState change(String name, BiFunction<SequenceState, InMemoryPool, SequenceState> change) {
        return locked(name, row -> {
            SequenceState changed = change.apply(row.state, row.pool);
            row.state = changed;
            return changed;
        });
    }

    private InMemoryRow row(String name) {
        InMemoryRow row = rows.get(name);
        if (row == null) {
            SequenceDefinition.checkName(name);
            throw new SequenceException.NotFound(name, PLACE);
        }
        return row;
    }

    private <R> R locked(String name, Function<InMemoryRow, R> work) {
        InMemoryRow row = lockedRow(name, LOCK_TIMEOUT);
        try {
            return work.apply(row);
        } finally {
            row.unlock();
        }
    }

    /** Returns the row, locked. If it was dropped in the meantime, throws or returns the row created in its place. */
    private InMemoryRow lockedRow(String name, Duration patience) {
        while (true) {
            InMemoryRow row = row(name);
            row.lock(patience.toNanos());
            if (!row.dropped) {
                return row;
            }
            row.unlock();
        }
    }

    private static void checkOpen(InMemoryTransaction transaction, String name) {
        if (transaction.ended) {
            throw new SequenceException.Misconfigured(name, "the transaction has ended; draw inside it");
        }
    }

    private InMemoryRow joined(InMemoryTransaction transaction, String name, Duration patience) {
        checkOpen(transaction, name);
        InMemoryRow held = rows.get(name);
        if (held != null && transaction.before.containsKey(held)) {
            return held;
        }
        InMemoryRow row = lockedRow(name, patience);
        transaction.before.put(row, row.state);
        return row;
    }

    private static Reservation take(InMemoryRow row, long count) {
        SequenceState.Taken taken = row.state.take(count);
        row.state = taken.after();
        return taken.reservation();
    }

    private static boolean putBack(InMemoryRow row, Block unused, long epoch) {
        Optional<SequenceState> back = row.state.giveBack(unused, epoch);
        back.ifPresent(state -> row.state = state);
        return back.isPresent();
    }

    @SuppressWarnings("ThreadPriorityCheck") // the rest is too short to park
    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (left > TIMER_SLACK_NANOS) {
                LockSupport.parkNanos(left - TIMER_SLACK_NANOS);
            } else {
                Thread.yield();
            }
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    /** A transaction that callers share. Has no savepoints, like that of some databases. */
    record Group(InMemoryTransaction transaction, InMemoryRow row, SequenceState counter)
            implements SharedTransaction<InMemoryTransaction> {

        @Override
        public InMemoryTransaction handle(Drawn drawn) {
            return transaction;
        }

        @Override
        public Blame blame(Throwable thrown) {
            return Blame.UNIT;
        }

        @Override
        public void commit(SequenceState after) {
            // The row is locked, so only a unit that drew outside its turn can have moved it.
            boolean untouched = row.state.equals(counter);
            if (untouched) {
                row.state = after;
            }
            transaction.end(untouched);
            if (!untouched) {
                throw new SequenceException.Misconfigured(
                        counter.definition().name(),
                        "a unit of work moved its counter without its turn, nothing was committed; draw only through the turn");
            }
        }

        @Override
        public void rollback() {
            transaction.end(false);
        }
    }

    /** A handle on the pool of a sequence. Thread-safe. */
    private final class Handle implements Pool<InMemoryTransaction> {
        private final String name;
        private volatile long seen;

        Handle(String name) {
            this.name = name;
        }

        @Override
        public Claim claim(InMemoryTransaction transaction, int count) {
            if (seen == 0) {
                return new Claim(List.of(), 0, false);
            }
            checkOpen(transaction, name);
            InMemoryPool pool = row(name).pool;
            return pool.claim(count, transaction.claims.computeIfAbsent(pool, absent -> new ArrayList<>()));
        }

        @Override
        public Extent layOut(long count) {
            return locked(name, row -> {
                pause(latencyNanos);
                Extent extent =
                        row.pool.last() == seen ? row.pool.layOut(takenUnlessHeld(row, count)) : row.pool.look();
                seen = extent.last();
                return extent;
            });
        }
    }
}
