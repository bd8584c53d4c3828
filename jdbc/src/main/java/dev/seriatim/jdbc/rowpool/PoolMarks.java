// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.rowpool;

import java.sql.Connection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the highest place that the claims of each connection have reached, on engines where the claims of one
 * transaction must go upwards.
 *
 * <p>The end of a caller's transaction is not visible here, and a pool may lend a connection again. So each refill
 * {@linkplain #inDoubt asks} the database which transactions still hold their claims, and {@linkplain #forget forgets} the
 * others. Until then, claims on that connection miss lower numbers that were returned to the pool. Thread-safe.
 */
final class PoolMarks {

    /**
     * The claims of one transaction in one pool.
     *
     * @param reached where its next claim begins
     * @param held the highest claimed place; 0 for none
     * @param witness the highest place claimed at the last refill, by a transaction that was open then; 0 for none
     */
    private record Mark(long reached, long held, long witness) {
        Mark and(Mark later) {
            return new Mark(Math.max(reached, later.reached), Math.max(held, later.held), witness);
        }

        /** Returns whether a transaction has ended since the last refill, or since the claims began. */
        boolean endedAmong(Set<Long> ended) {
            return ended.contains(held) || (witness != 0 && ended.contains(witness));
        }

        Mark witnessed() {
            return witness == 0 ? new Mark(reached, held, held) : this;
        }
    }

    private final Map<Connection, Map<String, Mark>> marks = new WeakHashMap<>();
    // Those whose marks have kept a claim from looking lower: few, although there may be many marks.
    private final Set<Connection> seenAgain = Collections.newSetFromMap(new WeakHashMap<>());

    /** Records that a new transaction begins on a connection. */
    synchronized void begins(Connection connection) {
        marks.remove(connection);
        seenAgain.remove(connection);
    }

    /** Returns the lowest place that a claim may search; empty for any. */
    synchronized OptionalLong of(Connection connection, String name) {
        Mark mark = mark(connection, name);
        if (mark == null) {
            return OptionalLong.empty();
        }
        seenAgain.add(connection);
        return OptionalLong.of(mark.reached());
    }

    /**
     * Records that a claim has searched up to a place. A mark that a refill has forgotten meanwhile stays forgotten:
     * otherwise quick claims would renew it each time, and none would search lower.
     *
     * @param from where the claim began, as {@link #of} returned it
     * @param held the highest claimed place; 0 for none
     */
    synchronized void reached(Connection connection, String name, OptionalLong from, long place, long held) {
        if (from.isEmpty() || mark(connection, name) != null) {
            marks.computeIfAbsent(connection, first -> new HashMap<>())
                    .merge(name, new Mark(place, held, 0), Mark::and);
        }
    }

    /** Returns places that show whether a transaction has ended whose mark restricts claims. */
    synchronized NavigableSet<Long> inDoubt(String name) {
        NavigableSet<Long> places = new TreeSet<>();
        for (Connection connection : seenAgain) {
            Mark mark = mark(connection, name);
            if (mark != null) {
                places.add(mark.held());
                places.add(mark.witness() == 0 ? mark.held() : mark.witness());
            }
        }
        return places;
    }

    /**
     * Forgets the marks whose places no open transaction has claimed. A transaction that follows on the same connection
     * searches lower once, which rarely conflicts.
     */
    synchronized void forget(String name, Set<Long> ended) {
        for (Connection connection : seenAgain) {
            Mark mark = mark(connection, name);
            if (mark != null && mark.endedAmong(ended)) {
                marks.getOrDefault(connection, Map.of()).remove(name);
            } else if (mark != null) {
                marks.getOrDefault(connection, Map.of()).put(name, mark.witnessed());
            }
        }
        seenAgain.removeIf(
                connection -> marks.getOrDefault(connection, Map.of()).isEmpty());
    }

    private @Nullable Mark mark(Connection connection, String name) {
        return marks.getOrDefault(connection, Map.of()).get(name);
    }
}
