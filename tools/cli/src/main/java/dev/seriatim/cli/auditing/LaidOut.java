// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import dev.seriatim.Block;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** The numbers in a sequence's pool: reserved, and in no committed transaction. Immutable. */
final class LaidOut {

    /** Takes what is not laid out: places of a grid, both included. */
    @FunctionalInterface
    interface Others {
        void places(long first, long last);
    }

    private final Grid grid;
    private final long[] numbers; // sorted
    private final long[] places; // sorted as signed numbers, so with their highest bit changed

    LaidOut(Grid grid, List<Block> runs) {
        this.grid = grid;
        numbers = runs.stream()
                .flatMapToLong(run -> LongStream.range(0, run.count()).map(run::get))
                .sorted()
                .toArray();
        places = Arrays.stream(numbers)
                .filter(grid::holds)
                .map(number -> signed(grid.place(number)))
                .sorted()
                .toArray();
    }

    static LaidOut nothing(Grid grid) {
        return new LaidOut(grid, List.of());
    }

    boolean holds(long number) {
        return numbers.length > 0 && Arrays.binarySearch(numbers, number) >= 0;
    }

    /** Reports the runs of places from first to last whose numbers are not laid out. */
    void others(long first, long last, Others told) {
        long next = first;
        for (int i = from(first); i < places.length && places[i] <= signed(last); i++) {
            long place = signed(places[i]);
            if (place != next) {
                told.places(next, place - 1);
            }
            if (place == last) {
                return;
            }
            next = place + 1;
        }
        told.places(next, last);
    }

    /** Returns all of them in the direction of the sequence; empty if there are none. */
    Optional<NumberRange> all() {
        Stretch all = new Stretch();
        for (int i = 0; i < numbers.length; i++) {
            all.add(numbers[grid.ascending() ? i : numbers.length - 1 - i]);
        }
        return all.range();
    }

    private int from(long place) {
        int found = Arrays.binarySearch(places, signed(place));
        return found >= 0 ? found : -found - 1;
    }

    /** Converts a place for signed comparison, and back. */
    private static long signed(long place) {
        return place ^ Long.MIN_VALUE;
    }
}
