// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** The numbers in a sequence's pool: reserved, and in no committed transaction. Immutable. */
final class LaidOut {

    private final Dealt dealt;
    private final long[] sorted;

    LaidOut(Dealt dealt, List<Block> runs) {
        this.dealt = dealt;
        sorted = runs.stream()
                .flatMapToLong(run -> LongStream.range(0, run.count()).map(run::get))
                .map(this::inDirection)
                .sorted()
                .toArray();
    }

    boolean holds(long number) {
        return Arrays.binarySearch(sorted, inDirection(number)) >= 0;
    }

    /** Returns the numbers from one place to another, both included, that are not laid out. */
    List<NumberRange> others(long first, long last) {
        List<NumberRange> others = new ArrayList<>();
        int from = Arrays.binarySearch(sorted, inDirection(dealt.number(first)));
        long next = first;
        for (int i = from >= 0 ? from : -from - 1; i < sorted.length; i++) {
            long number = inDirection(sorted[i]);
            if (dealt.before(dealt.number(last), number)) {
                break;
            }
            if (dealt.holds(number)) {
                long place = dealt.place(number);
                if (place != next) {
                    others.add(dealt.range(next, place - 1));
                }
                if (place == last) {
                    return others;
                }
                next = place + 1;
            }
        }
        others.add(dealt.range(next, last));
        return others;
    }

    /** Returns all of them in the direction of the sequence; empty if there are none. */
    Optional<NumberRange> all() {
        NumberRange.Collector all = new NumberRange.Collector();
        Arrays.stream(sorted).map(this::inDirection).forEach(all::add);
        return all.range();
    }

    /** Converts a number so that those of a descending sequence ascend, and back. */
    private long inDirection(long number) {
        return dealt.ascending() ? number : ~number;
    }
}
