// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What was drawn when, and what is wrong with it. Thread-safe while it is written; checked afterwards. */
public final class History {

    private record Drawn(long began, long ended, Block block) {}

    private final ConcurrentLinkedQueue<Drawn> draws = new ConcurrentLinkedQueue<>();

    /** An empty history. */
    public History() {}

    /** Adds a draw, with the times at which it began and ended in nanoseconds. */
    public void add(long began, long ended, Block block) {
        draws.add(new Drawn(began, ended, block));
    }

    /** How many values were drawn. */
    public long size() {
        return draws.stream().mapToLong(d -> d.block().count()).sum();
    }

    /** The largest value drawn. */
    public long largest() {
        return draws.stream().flatMapToLong(d -> d.block().values()).max().orElseThrow();
    }

    /** How many values had been drawn before. */
    public long duplicates() {
        Set<Long> seen = new HashSet<>();
        return draws.stream()
                .flatMapToLong(d -> d.block().values())
                .filter(value -> !seen.add(value))
                .count();
    }

    /**
     * How many draws began after another had ended whose values they should lie beyond, and do not.
     *
     * <p>Draws are gone through in the order in which they began; those that had ended by then have been taken into the
     * extreme so far.
     */
    public long orderViolations(boolean ascending) {
        List<Drawn> byBegin = new ArrayList<>(draws);
        byBegin.sort(Comparator.comparingLong(Drawn::began));
        PriorityQueue<Drawn> byEnd = new PriorityQueue<>(Comparator.comparingLong(Drawn::ended));
        byEnd.addAll(byBegin);
        long violations = 0;
        boolean any = false;
        long extreme = 0;
        for (Drawn draw : byBegin) {
            for (Drawn ended = byEnd.peek(); ended != null && ended.ended() < draw.began(); ended = byEnd.peek()) {
                byEnd.remove();
                long last = ended.block().last();
                extreme = !any ? last : ascending ? Math.max(extreme, last) : Math.min(extreme, last);
                any = true;
            }
            long first = draw.block().first();
            if (any && (ascending ? first <= extreme : first >= extreme)) {
                violations++;
            }
        }
        return violations;
    }
}
