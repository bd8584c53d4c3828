// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives each of several concurrent claims a place to ask for by key, so that they do not search past the rows that
 * others hold.
 *
 * <p>Targets are the places that this handle has laid out and not yet given to a claim. They only save work: the
 * database decides whether a number is free. Some claims search nevertheless, and so find what rollbacks have put back:
 *
 * <ol>
 *   <li>a claim that is alone, and so were the last {@link #ALONE};
 *   <li>one of every {@link #CLAIMS_PER_SEARCH}, and one after another while they find such numbers;
 *   <li>a claim that has no target, or whose targets are gone.
 * </ol>
 *
 * <p>While numbers are being put back, a claim by key first asks for the place that its thread claimed last: a
 * transaction that has failed is usually repeated, and then gets its number again.
 *
 * <p>Thread-safe.
 */
final class PoolTargets {

    /** How many claims by key there are to each search, at most. */
    static final int CLAIMS_PER_SEARCH = 64;

    /** Number of claims, each alone, after which claims are not concurrent any more. */
    static final int ALONE = 16;

    private static final long PUT_BACK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What a claim asks for.
     *
     * @param again the place that this thread claimed last, which comes first; empty if that is not worth asking for
     * @param target a place that no claim was given so far
     */
    record Aim(OptionalLong again, long target) {

        List<Long> places() {
            return again.isPresent() ? List.of(again.getAsLong(), target) : List.of(target);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final ThreadLocal<Long> latest = new ThreadLocal<>();

    // Guarded by the lock:
    private final NavigableSet<Long> targets = new TreeSet<>();
    private final Set<Long> asked = new HashSet<>();
    private int claims;
    private int concurrent;
    private int searches;
    private int sinceSearch;
    private boolean more;
    private long furthest;
    private long putBack = System.nanoTime() - PUT_BACK_NANOS;

    /** Adds the places after one, and forgets those below another, where no claim looks any more. */
    void laidOut(long after, long count, long from) {
        lock.lock();
        try {
            for (long place = after + 1; place <= after + count; place++) {
                targets.add(place);
            }
            targets.headSet(from).clear();
        } finally {
            lock.unlock();
        }
    }

    /** Called at the beginning of each claim; {@link #leave} at its end. */
    void enter() {
        lock.lock();
        try {
            claims++;
            concurrent = claims > 1 ? ALONE : Math.max(0, concurrent - 1);
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            claims--;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what to ask for, after which {@link #asked} is called; empty to search. */
    Optional<Aim> next(PoolClaim.Places places) {
        lock.lock();
        try {
            boolean due = searches == 0 && (more || sinceSearch >= CLAIMS_PER_SEARCH);
            if (concurrent == 0 || due || targets.isEmpty() || targets.first() > places.to()) {
                return Optional.empty();
            }
            sinceSearch++;
            Aim aim = new Aim(again(places), targets.first());
            targets.remove(aim.target());
            asked.add(aim.target());
            return Optional.of(aim);
        } finally {
            lock.unlock();
        }
    }

    /** Called after a claim by key with what it got, if anything. */
    void asked(Aim aim, Optional<PoolClaim.Row> got) {
        lock.lock();
        try {
            asked.remove(aim.target());
            if (aim.again().isPresent()
                    && got.map(PoolClaim.Row::place).stream().noneMatch(p -> p == aim.target())) {
                targets.add(aim.target()); // it may still be free
                latest.remove();
                if (got.isPresent()) {
                    putBack = System.nanoTime();
                }
            }
            got.ifPresent(row -> claimed(row.place()));
        } finally {
            lock.unlock();
        }
    }

    /** Called at the beginning of each search; {@link #searched} at its end. */
    void searches() {
        lock.lock();
        try {
            searches++;
            sinceSearch = 0;
            more = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called with what a search got.
     *
     * @param everywhere whether it began at the first place that may hold a free number
     * @param up to where it came
     */
    void searched(List<PoolClaim.Row> rows, boolean everywhere, long up) {
        lock.lock();
        try {
            searches--;
            rows.forEach(row -> targets.remove(row.place()));
            if (everywhere) {
                targets.headSet(up).clear(); // others hold them, or have taken them
            }
            if (!rows.isEmpty()) {
                long lowest = rows.get(0).place();
                if (lowest < furthest && !asked.contains(lowest)) {
                    putBack = System.nanoTime();
                    more = true;
                }
                claimed(rows.get(rows.size() - 1).place());
            }
        } finally {
            lock.unlock();
        }
    }

    private void claimed(long place) {
        latest.set(place);
        furthest = Math.max(furthest, place);
    }

    private OptionalLong again(PoolClaim.Places places) {
        Long mine = latest.get();
        boolean worth = mine != null
                && mine >= places.from()
                && !asked.contains(mine)
                && System.nanoTime() - putBack < PUT_BACK_NANOS;
        return worth ? OptionalLong.of(mine) : OptionalLong.empty();
    }
}
