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
 * Gives each of several concurrent claims a place to take by key, so that it does not search past rows that others hold.
 *
 * <p>Targets are the places that this handle has laid out and not yet given to a claim. They only save work: the database
 * decides whether a number is free. Some claims search nevertheless, and so find what rollbacks have put back:
 *
 * <ol>
 *   <li>a claim without concurrent ones, after {@link #ALONE} like it;
 *   <li>one of every {@link #CLAIMS_PER_SEARCH}, and further ones while they find numbers lower than others given out;
 *   <li>up to {@link #SEARCHERS} at a time while rollbacks are frequent, and the first {@link #FIRST} of a process;
 *   <li>a claim without a target, or whose targets are gone.
 * </ol>
 *
 * <p>Thread-safe.
 */
final class PoolTargets {

    /** Maximum number of claims by key per search. */
    static final int CLAIMS_PER_SEARCH = 64;

    /** Number of claims without concurrent ones after which claims count as not concurrent. */
    static final int ALONE = 16;

    /** Rollbacks are frequent if at most this many claims lie between two returned numbers. */
    static final int FREQUENT = 32;

    /** Number of claims for which they count as frequent. */
    static final int FREQUENT_FOR = 64;

    /** Number of first claims of a process that search, so that a process that draws little leaves no lower number. */
    static final int FIRST = 256;

    /** Maximum number of concurrent searches: more hinder each other. */
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

    /** Adds laid-out places, and forgets those below {@code from}. */
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

    /** Returns a place to take, after which {@link #asked} is called; empty to search. */
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
     * Called with the rows that a search has taken.
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
