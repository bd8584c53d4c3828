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

/** Records draws and checks them for faults. Thread-safe while recording; check afterwards. */
public final class History {

    private record Drawn(long began, long ended, Block block) {}

    private final ConcurrentLinkedQueue<Drawn> draws = new ConcurrentLinkedQueue<>();

    /** Adds a draw, with its start and end times in nanoseconds. */
    public void add(long began, long ended, Block block) {
        draws.add(new Drawn(began, ended, block));
    }

    /** Returns the number of values drawn. */
    public long size() {
        return draws.stream().mapToLong(d -> d.block().count()).sum();
    }

    /** Returns the largest value drawn. */
    public long largest() {
        return draws.stream().flatMapToLong(d -> d.block().values()).max().orElseThrow();
    }

    /** Returns the number of values that had been drawn before. */
    public long duplicates() {
        Set<Long> seen = new HashSet<>();
        return draws.stream()
                .flatMapToLong(d -> d.block().values())
                .filter(value -> !seen.add(value))
                .count();
    }

    /** Returns the number of draws that began after another had ended, but whose values are not beyond its values. */
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
