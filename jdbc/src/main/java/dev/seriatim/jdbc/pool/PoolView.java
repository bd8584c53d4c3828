// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a handle remembers of a pool, so that claims need not look through what was used up long ago: rows that a claim has
 * deleted are stepped over one by one until the engine has cleared them away, which it cannot while an older transaction
 * is open.
 *
 * <ol>
 *   <li>Below the lowest row that exists in a committed state, held or free, no number ever comes back. Claims begin there.
 *   <li>Where a transaction holds on to that row while thousands of others are claimed, claims begin behind it, and one a
 *       second begins at it.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class PoolView {

    /** So many rows are looked at to find where claims begin. */
    static final int LOOK = 64;

    private static final long FAR = 4096;
    private static final long FULL_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What one look at a pool showed, in its own transaction, with the head locked.
     *
     * @param head the place that was given last, before anything was laid out now
     * @param laidOut how many were laid out now
     * @param lowest places that hold numbers, from {@link #from} on, the lowest {@link #LOOK}
     * @param lagging the lowest place that holds a number, from {@link #floor} on, where that is another question
     */
    record Look(long head, long laidOut, List<Long> lowest, OptionalLong lagging) {}

    private final int rest;
    private final ReentrantLock lock = new ReentrantLock();

    // Under the lock:
    private PoolClaim.@Nullable Places known;
    private long head;
    private long floor = 1;
    private long furthest;
    private long fullLook = System.nanoTime();

    PoolView(int rest) {
        this.rest = rest;
    }

    /** Whether others have laid out numbers since the last look, or there was none. */
    boolean isNews(long headNow) {
        lock.lock();
        try {
            return known == null || head != headNow;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        return all() == null;
    }

    /** Where the next claim looks; null before the first look. */
    PoolClaim.@Nullable Places next() {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (known == null || floor >= known.from() || now - fullLook < FULL_LOOK_NANOS) {
                return known;
            }
            fullLook = now;
            return new PoolClaim.Places(floor, known.to());
        } finally {
            lock.unlock();
        }
    }

    /** Everywhere that a number can be claimed; null before the first look. */
    PoolClaim.@Nullable Places all() {
        lock.lock();
        try {
            return known == null ? null : new PoolClaim.Places(floor, known.to());
        } finally {
            lock.unlock();
        }
    }

    /** Below this no number ever comes back. */
    long floor() {
        lock.lock();
        try {
            return floor;
        } finally {
            lock.unlock();
        }
    }

    /** Where claims begin. */
    long from() {
        lock.lock();
        try {
            return known == null ? floor : known.from();
        } finally {
            lock.unlock();
        }
    }

    void claimed(long place) {
        lock.lock();
        try {
            furthest = Math.max(furthest, place);
        } finally {
            lock.unlock();
        }
    }

    /** Takes in what a look showed; {@code end} when the sequence has nothing more to lay out. */
    void saw(Look look, boolean end) {
        lock.lock();
        try {
            List<Long> lowest = look.lowest();
            int begin = 0;
            while (begin < lowest.size() && furthest - lowest.get(begin) > FAR) {
                begin++;
            }
            boolean behindAll = begin == lowest.size() && begin < LOOK;
            long from = behindAll ? look.head() + 1 : lowest.get(Math.min(begin, LOOK - 1));
            floor = look.lagging().orElse(lowest.isEmpty() ? from : lowest.get(0));
            head = look.head() + look.laidOut();
            known = new PoolClaim.Places(from, end ? head : head - rest);
        } finally {
            lock.unlock();
        }
    }

    /** Whether there was nothing more to lay out. */
    boolean ended() {
        lock.lock();
        try {
            return known != null && known.to() == head;
        } finally {
            lock.unlock();
        }
    }

    /** There is nothing more to lay out: the last rows need not be spared. */
    void sawEnd() {
        lock.lock();
        try {
            if (known != null) {
                known = new PoolClaim.Places(known.from(), head);
            }
        } finally {
            lock.unlock();
        }
    }
}
