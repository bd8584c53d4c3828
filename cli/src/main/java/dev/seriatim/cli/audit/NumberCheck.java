// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Finds duplicates, gaps and strays among numbers that come in the direction of their sequence, and tells each as soon as
 * it is known. Its memory does not grow, but for the pool. Not thread-safe.
 */
final class NumberCheck {

    private final Dealt dealt;
    private final Grid grid;
    private final Consumer<Finding> found;
    private final Stretch all = new Stretch();
    private final Stretch strays = new Stretch();
    private final Stretch undealt = new Stretch();
    private LaidOut pool;
    private long rows;
    private long current;
    private long rowsOfCurrent;
    private boolean begun;
    /** Once begun: the place of the last number that was dealt and is there. */
    private long reached;

    NumberCheck(Dealt dealt, Consumer<Finding> found) {
        this.dealt = dealt;
        this.grid = dealt.grid();
        this.found = found;
        pool = LaidOut.nothing(grid);
    }

    /** Takes the numbers of the pool, before all others: none of them is missing, and one that is there is yet to deal. */
    void laidOut(LaidOut numbers) {
        pool = numbers;
    }

    /**
     * Takes the next number.
     *
     * @throws IllegalStateException when it should have come before
     */
    void number(long number) {
        if (rows > 0 && grid.before(number, current)) {
            throw new IllegalStateException(number + " came after " + current + " from a store that was to sort them");
        }
        if (rows > 0 && number == current) {
            rowsOfCurrent++;
        } else {
            endOfCurrent();
            current = number;
            rowsOfCurrent = 1;
            other(number);
        }
        rows++;
    }

    /** After the last number: tells what is still to be told. */
    void end() {
        endOfCurrent();
        endOfStrays();
    }

    /** How many rows there are. */
    long rows() {
        return rows;
    }

    /** The numbers that there are. */
    Optional<NumberRange> all() {
        return all.range();
    }

    /** Those among them that the counter has not passed, or that are in the pool: the sequence will deal them again. */
    Optional<NumberRange> undealt() {
        return undealt.range();
    }

    /** The numbers that were dealt after the last one that is there, without those in the pool. */
    Optional<NumberRange> missingAtEnd() {
        OptionalLong last = dealt.lastPlace();
        if (last.isEmpty() || (begun && last.getAsLong() == reached)) {
            return Optional.empty();
        }
        List<NumberRange> missing = new ArrayList<>();
        pool.others(afterReached(), last.getAsLong(), (from, to) -> missing.add(NumberRange.of(grid, from, to)));
        return missing.stream().reduce(NumberRange::and);
    }

    private void other(long number) {
        all.add(number);
        boolean passed = dealt.passed(number);
        if (!passed || pool.holds(number)) {
            undealt.add(number);
        }
        if (!passed) {
            return;
        }
        if (number == grid.number(afterReached())) { // as nearly all are; the rest costs divisions
            reach(afterReached());
        } else if (grid.holds(number)) {
            reach(grid.place(number));
        } else {
            strays.add(number);
        }
    }

    private void reach(long place) {
        endOfStrays();
        if (place != afterReached()) {
            pool.others(
                    afterReached(),
                    place - 1,
                    (first, last) -> found.accept(new Finding.Numbers(Kind.GAP, NumberRange.of(grid, first, last))));
        }
        begun = true;
        reached = place;
    }

    private long afterReached() {
        return begun ? reached + 1 : 0;
    }

    private void endOfCurrent() {
        if (rowsOfCurrent > 1) {
            found.accept(new Finding.Duplicate(current, rowsOfCurrent));
        }
    }

    private void endOfStrays() {
        strays.end().ifPresent(range -> found.accept(new Finding.Numbers(Kind.STRAY, range)));
    }
}
