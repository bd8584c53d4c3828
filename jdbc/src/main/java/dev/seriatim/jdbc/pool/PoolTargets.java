// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.pool;

import dev.seriatim.jdbc.sql.PoolClaim;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives each of several concurrent claims a place to ask for by key, so that they do not search past the rows that
 * others hold.
 *
 * <p>Targets are the places that this handle has laid out and not yet given to a claim. They only save work: the
 * database decides whether a number is free. Some claims search nevertheless, and so find what rollbacks have put back:
 *
 * <ol>
 *   <li>a claim that is alone, as were the last {@link #ALONE};
 *   <li>one of every {@link #CLAIMS_PER_SEARCH}, and then one after another while they find numbers lower than others given out;
 *   <li>up to {@link #SEARCHERS} at a time while rollbacks are frequent, and at first, so that a process that draws little leaves no
 *       number below its own;
 *   <li>a claim that has no target, or whose targets are gone.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class PoolTargets {

    /** How many claims by key there are to each search, at most. */
    static final int CLAIMS_PER_SEARCH = 64;

    /** Number of claims, each alone, after which claims are not concurrent any more. */
    static final int ALONE = 16;

    /** Rollbacks are frequent if no more claims than this lie between two numbers that were put back. */
    static final int FREQUENT = 32;

    /** For how many claims they remain so. */
    static final int FREQUENT_FOR = 64;

    /** How many claims of a process search at first. */
    static final int FIRST = 256;

    /** If more search at the same time, they hinder each other more than they find. */
    static final int SEARCHERS = 16;

    // Guarded by this:
    private final NavigableSet<Long> targets = new TreeSet<>();
    private final Set<Long> asked = new HashSet<>();
    private final NavigableSet<Long> given = new TreeSet<>();
    private int claims;
    private int concurrent;
    private int searches;
    private int sinceSearch;
    private long sincePutBack = FREQUENT;
    private int searching = FIRST;
    private boolean more;

    /** Adds the places after one, and forgets those below another, where no claim looks any more. */
    synchronized void laidOut(long after, long count, long from) {
        for (long place = after + 1; place <= after + count; place++) {
            targets.add(place);
        }
        targets.headSet(from).clear();
        given.headSet(from).clear();
    }

    /** Called at the beginning of each claim; {@link #leave} at its end. */
    synchronized void enter() {
        claims++;
        concurrent = claims > 1 ? ALONE : Math.max(0, concurrent - 1);
        sincePutBack++;
    }

    synchronized void leave() {
        claims--;
        searching = Math.max(0, searching - 1);
    }

    /** Returns the place to ask for, after which {@link #asked} is called; empty to search. */
    synchronized OptionalLong next(PoolClaim.Places places) {
        boolean due = sinceSearch >= CLAIMS_PER_SEARCH || (more && searches == 0);
        boolean frequent = searching > 0 && searches < SEARCHERS;
        if (concurrent == 0 || due || frequent || targets.isEmpty() || targets.first() > places.to()) {
            return OptionalLong.empty();
        }
        sinceSearch++;
        long target = targets.first();
        targets.remove(target);
        asked.add(target);
        return OptionalLong.of(target);
    }

    /** Called after a claim has asked for a place. */
    synchronized void asked(long place, boolean got) {
        asked.remove(place);
        if (got) {
            given.add(place);
        }
    }

    /** Called at the beginning of each search; {@link #searched} at its end. */
    synchronized void searches() {
        searches++;
        sinceSearch = 0;
        more = false;
    }

    /**
     * Called with what a search has got.
     *
     * @param everywhere whether it has passed every place that may hold a lower number
     */
    synchronized void searched(List<PoolClaim.Row> rows, boolean everywhere) {
        searches--;
        for (PoolClaim.Row row : rows) {
            more |= !given.isEmpty() && row.place() < given.last() && !asked.contains(row.place());
            if (!given.add(row.place())) {
                searching = Math.max(searching, sincePutBack <= FREQUENT ? FREQUENT_FOR : 0);
                sincePutBack = 0;
            }
            targets.remove(row.place());
            if (everywhere) {
                targets.headSet(row.place()).clear(); // others hold them, or have taken them
            }
        }
    }
}
