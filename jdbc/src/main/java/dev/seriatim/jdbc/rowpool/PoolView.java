// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import dev.seriatim.jdbc.sql.PoolClaim;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The places that a handle searches in a pool. A search steps over each deleted row until the engine has purged it, which
 * it cannot do while an older transaction is open:
 *
 * <ol>
 *   <li>Claims begin at the lowest row that exists in a committed state: below it, no number ever returns.
 *   <li>If a transaction holds that row while thousands of others are claimed, claims begin after it, and one claim per
 *       second begins at it.
 * </ol>
 *
 * <p>A look may report after later ones. What later ones have shown then remains. Thread-safe.
 */
final class PoolView {

    /** Number of rows to read to find where claims begin. */
    static final int LOOK = 64;

    private static final long FAR = 4096;
    private static final long FULL_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The result of one look at a pool, in a transaction of its own, with the head locked.
     *
     * @param order its place among the looks, from {@link #beginLook}
     * @param head the last used place before this look laid out more
     * @param laidOut the count of numbers that this look laid out
     * @param lowest the lowest {@link #LOOK} places at or above {@link #from} that hold numbers
     * @param lagging the lowest place at or above {@link #floor} that holds a number, if that is a separate query
     */
    record Look(long order, long head, long laidOut, List<Long> lowest, OptionalLong lagging) {}

    private final int rest;
    // Guarded by this:
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
    synchronized boolean isNews(long headNow) {
        return known == null || head != headNow;
    }

    boolean isEmpty() {
        return all() == null;
    }

    /** Returns where the next claim looks; null before the first look. */
    synchronized PoolClaim.@Nullable Places next() {
        long now = System.nanoTime();
        if (known == null || floor >= known.from() || now - fullLook < FULL_LOOK_NANOS) {
            return known;
        }
        fullLook = now;
        return new PoolClaim.Places(floor, known.to());
    }

    /** Returns all places where a number can be claimed; null before the first look. */
    synchronized PoolClaim.@Nullable Places all() {
        return known == null ? null : new PoolClaim.Places(floor, known.to());
    }

    /** Returns the place below which no number ever returns. */
    synchronized long floor() {
        return floor;
    }

    synchronized long from() {
        return known == null ? floor : known.from();
    }

    synchronized void claimed(long place) {
        furthest = Math.max(furthest, place);
    }

    /**
     * Returns the order of a look. Called with the sequence locked, so that looks are in the order in which they see the
     * pool.
     */
    synchronized long beginLook() {
        return ++looks;
    }

    /** Returns whether the last used place is lower than before: the pool was dropped and created again. */
    synchronized boolean isMadeAnew(long headNow) {
        return known != null && headNow < head;
    }

    /** Ignores looks that began before this one. */
    synchronized void forget(long order) {
        placesSeen = Math.max(placesSeen, order - 1);
        known = null;
        floor = 1;
        furthest = 0;
    }

    /** Records what a look showed; {@code end} if the sequence has nothing more to lay out. */
    synchronized void saw(Look look, boolean end) {
        sawEnd(look.order(), end);
        if (look.order() > placesSeen) {
            placesSeen = look.order();
            sawPlaces(look);
        }
    }

    synchronized boolean ended() {
        return known != null && ended;
    }

    /** Records that a look found nothing more to lay out, so the last rows may be claimed. */
    synchronized void sawEnd(long order) {
        sawEnd(order, true);
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
