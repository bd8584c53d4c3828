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
 * <p>A look may report after later ones, for instance if it hung for a while. What later ones have shown then remains.
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
     * @param order its place among the looks, from {@link #beginLook}
     * @param head the last place used before this look laid out more
     * @param laidOut how many numbers this look laid out
     * @param lowest the lowest {@link #LOOK} places at or above {@link #from} that hold numbers
     * @param lagging the lowest place at or above {@link #floor} that holds a number, if that is a separate query
     */
    record Look(long order, long head, long laidOut, List<Long> lowest, OptionalLong lagging) {}

    private final int rest;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock:
    private PoolClaim.@Nullable Places known;
    private long looks;
    private long placesSeen;
    private long endSeen;
    private boolean ended;
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

    /**
     * Returns the order of a look. Called with the sequence locked, so looks are in the order in which they see the
     * pool, whatever places it has: it may have been dropped and created anew.
     */
    long beginLook() {
        lock.lock();
        try {
            return ++looks;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the last place used is lower than it was, as only in a pool that was dropped and made anew. */
    boolean isMadeAnew(long headNow) {
        lock.lock();
        try {
            return known != null && headNow < head;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what looks before this one have shown, or will. */
    void forget(long order) {
        lock.lock();
        try {
            placesSeen = Math.max(placesSeen, order - 1);
            known = null;
            floor = 1;
            furthest = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Records what a look showed; {@code end} if the sequence has nothing more to lay out. */
    void saw(Look look, boolean end) {
        lock.lock();
        try {
            sawEnd(look.order(), end);
            if (look.order() > placesSeen) {
                placesSeen = look.order();
                sawPlaces(look);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether there was nothing more to lay out. */
    boolean ended() {
        lock.lock();
        try {
            return known != null && ended;
        } finally {
            lock.unlock();
        }
    }

    /** Records that a look found nothing more to lay out, so the last rows may be claimed. */
    void sawEnd(long order) {
        lock.lock();
        try {
            sawEnd(order, true);
        } finally {
            lock.unlock();
        }
    }

    private void sawEnd(long order, boolean end) {
        if (order > endSeen) {
            endSeen = order;
            ended = end;
            if (known != null) {
                known = places(known.from());
            }
        }
    }

    private void sawPlaces(Look look) {
        List<Long> lowest = look.lowest();
        int begin = 0;
        while (begin < lowest.size() && furthest - lowest.get(begin) > FAR) {
            begin++;
        }
        boolean behindAll = begin == lowest.size() && begin < LOOK;
        long from = behindAll ? look.head() + 1 : lowest.get(Math.min(begin, LOOK - 1));
        floor = look.lagging().orElse(lowest.isEmpty() ? from : lowest.get(0));
        head = look.head() + look.laidOut();
        known = places(from);
    }

    private PoolClaim.Places places(long from) {
        return new PoolClaim.Places(from, ended ? head : head - rest);
    }
}
