// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.pool;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.dispatch.StoreFailures;
import dev.seriatim.store.Pool;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One call to a {@link PooledSequence}: waits until it may claim, because a claim that finds nothing would cost a round trip, and
 * hold locks where the next numbers go. If no more can be laid out, claims at once: only a claim shows which numbers rollbacks
 * have put back. Used by one thread; its fields are guarded by the supply's lock.
 */
final class PoolVisit {

    /** A caller that waits longer for a refill draws from the counter: callers may hold every connection. */
    private static final long LONGEST_STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** How often a waiting caller checks whether a refill is due: no timer ends the pause after a failure. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PoolSupply supply;
    private final long patience;
    private final long began;
    private final long arrivalsAtFirst;
    private long arrivalsNoted;
    private long stalledSince;
    private long failuresSeen;
    private long arrivalsSeen;
    private long lastSeen;
    private boolean cameBackShort;
    private long announced;
    private long queued;
    private boolean waited;

    PoolVisit(PoolSupply supply) {
        this.supply = supply;
        began = supply.timing.now();
        patience = supply.context.patienceNanos();
        arrivalsAtFirst = supply.arrivals;
        arrivalsNoted = arrivalsAtFirst;
        arrivalsSeen = arrivalsAtFirst;
        stalledSince = began;
        failuresSeen = supply.failures;
    }

    /** Waits until numbers may be claimed, and returns how many; 0 to draw from the counter instead. */
    int await(int count) {
        while (!announce(count)) {
            supply.refillIfDue();
            if (!awaitNews()) {
                return announceRest(count);
            }
        }
        return count;
    }

    Duration patienceLeft() {
        return Duration.ofNanos(Math.max(LEAST_NANOS, patience - (supply.timing.now() - began)));
    }

    void claimed(Pool.Claim claim) {
        supply.lock.lock();
        try {
            cameBackShort = claim.numbers().size() < announced;
            withdraw();
            supply.claimed += claim.numbers().size();
            supply.reached = Math.max(supply.reached, claim.place());
        } finally {
            supply.lock.unlock();
        }
        supply.refillIfDue();
    }

    /** Whether the last claim was short although no more numbers will be laid out. */
    boolean atTheEnd() {
        return supply.locked(() -> cameBackShort && supply.allHeld && supply.last == lastSeen);
    }

    /**
     * Returns the exception for an exhausted counter. The sequence is exhausted only if a refill found the last numbers
     * committed. A refill from before this visit is enough: while a caller holds the only connection, no refill can check.
     */
    SequenceException exhausted(SequenceException.Exhausted e) {
        return supply.locked(() -> supply.allCommitted ? e : supply.allHeld ? held() : unseen(e));
    }

    void end() {
        supply.lock.lock();
        try {
            withdraw();
        } finally {
            supply.lock.unlock();
        }
        if (waited) {
            Duration duration = Duration.ofNanos(supply.timing.now() - began);
            supply.context.listener().call(l -> l.waited(supply.context.name(), duration));
        }
    }

    private boolean announce(int count) {
        return supply.locked(() -> {
            supply.shutdown.checkOpen();
            // If no more can be laid out, only a claim shows whether a rollback has put numbers back.
            boolean enough = !cameBackShort && (supply.allHeld || supply.left() >= count);
            if (!enough && supply.arrivals == arrivalsSeen) {
                queue(count);
                return false;
            }
            claiming(count);
            return true;
        });
    }

    private int announceRest(int count) {
        return supply.locked(() -> {
            long rest = cameBackShort ? 0 : Math.max(0, supply.left());
            claiming(Math.min(count, rest));
            return (int) announced;
        });
    }

    private void claiming(long count) {
        withdraw();
        announced = count;
        supply.claiming += count;
        arrivalsSeen = supply.arrivals;
        failuresSeen = supply.failures;
        lastSeen = supply.last;
    }

    private void queue(int count) {
        withdraw();
        queued = count;
        supply.waiting += count;
        waited = true;
    }

    private void withdraw() {
        supply.claiming -= announced;
        supply.waiting -= queued;
        announced = 0;
        queued = 0;
    }

    /** Waits briefly for a refill; returns false if none has arrived for too long. */
    private boolean awaitNews() {
        supply.lock.lock();
        try {
            long waiting = supply.timing.now() - began;
            if (waiting >= patience) {
                throw tooLate();
            }
            long stall = Math.min(LONGEST_STALL_NANOS, patience / 2);
            long moment = Math.min(LOOK_NANOS, Math.min(stall - stalled(), patience - waiting));
            while (moment > 0 && !news()) {
                moment = supply.news.awaitNanos(moment);
            }
            SequenceException failure = supply.failure;
            if (failure != null && supply.failures != failuresSeen && supply.arrivals == arrivalsSeen) {
                if (!supply.refusedBefore(began)) {
                    throw failure.again();
                }
                failuresSeen = supply.failures; // the next refill decides
            }
            return stalled() < stall;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SequenceException.Unavailable(
                    supply.context.name(), "interrupted while waiting for numbers to be laid out", e);
        } finally {
            supply.lock.unlock();
        }
    }

    private long stalled() {
        long now = supply.timing.now();
        if (supply.arrivals != arrivalsNoted) {
            arrivalsNoted = supply.arrivals;
            stalledSince = now;
        }
        return now - stalledSince;
    }

    private boolean news() {
        return supply.arrivals != arrivalsSeen || supply.failures != failuresSeen || supply.shutdown.begun();
    }

    private SequenceException tooLate() {
        String waited = " within " + TimeUnit.NANOSECONDS.toMillis(patience) + " ms";
        Optional<String> awaited = StoreFailures.waitedFor(supply.store, supply.context.patience());
        if (awaited.isPresent()) {
            return new SequenceException.Unavailable(
                    supply.context.name(), "no numbers were laid out, " + awaited.get(), supply.latestFailure);
        }
        if (supply.allHeld) {
            return held();
        }
        if (supply.arrivals == arrivalsAtFirst) {
            return new SequenceException.Unavailable(
                    supply.context.name(),
                    "no numbers were laid out" + waited + "; check that " + supply.store
                            + " runs and has a connection besides those of the callers",
                    supply.latestFailure);
        }
        return new SequenceException.Overloaded(
                supply.context.name(),
                "no number was left over" + waited + " although more were laid out; use fewer callers, or wait longer",
                supply.latestFailure);
    }

    private SequenceException held() {
        return new SequenceException.Overloaded(
                supply.context.name(),
                "its last numbers are held by transactions that did not end within "
                        + TimeUnit.NANOSECONDS.toMillis(patience) + " ms; repeat this one when they have",
                supply.latestFailure);
    }

    private SequenceException unseen(SequenceException.Exhausted e) {
        return new SequenceException.Overloaded(
                supply.context.name(),
                "its counter has no more numbers, and it could not be checked in time whether the pool or open transactions hold the last ones;"
                        + " roll back and retry; if this recurs, check that the executor has a free thread and the"
                        + " store a connection besides those of the callers",
                e);
    }
}
