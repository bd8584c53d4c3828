// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a handle remembers of a pool, so that claims do not search through places used up long ago: a search steps
 * over each deleted row until the engine has purged it, which it cannot do while an older transaction is open.
 *
 * <ol>
 *   <li>Below the lowest row that exists in a committed state, claimed or free, no number ever returns. Claims begin
 *       there.
 *   <li>If a transaction keeps holding that row while thousands of others are claimed, claims begin after it, and one
 *       claim per second begins at it.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class PoolView {

    /** Number of rows to read to find where claims begin. */
    static final int LOOK = 64;

    private static final long FAR = 4096;
    private static final long FULL_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What one look at a pool showed, in a transaction of its own, with the head locked.
     *
     * @param head the last place used before this look laid out more
     * @param laidOut how many numbers this look laid out
     * @param lowest the lowest {@link #LOOK} places at or above {@link #from} that hold numbers
     * @param lagging the lowest place at or above {@link #floor} that holds a number, if that is a separate query
     */
    record Look(long head, long laidOut, List<Long> lowest, OptionalLong lagging) {}

    private final int rest;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock:
    private PoolClaim.@Nullable Places known;
    private long head;
    private long floor = 1;
    private long furthest;
    private long fullLook = System.nanoTime();

    PoolView(int rest) {
        this.rest = rest;
    }

    /** Returns whether others have laid out numbers since the last look, or there was no look yet. */
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

    /** Returns where the next claim looks; null before the first look. */
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

    /** Returns all places where a number can be claimed; null before the first look. */
    PoolClaim.@Nullable Places all() {
        lock.lock();
        try {
            return known == null ? null : new PoolClaim.Places(floor, known.to());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the place below which no number ever returns. */
    long floor() {
        lock.lock();
        try {
            return floor;
        } finally {
            lock.unlock();
        }
    }

    /** Returns where claims begin. */
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

    /** Records what a look showed; {@code end} if the sequence has nothing more to lay out. */
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

    /** Returns whether there was nothing more to lay out. */
    boolean ended() {
        lock.lock();
        try {
            return known != null && known.to() == head;
        } finally {
            lock.unlock();
        }
    }

    /** Records that there is nothing more to lay out, so the last rows may be claimed. */
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
