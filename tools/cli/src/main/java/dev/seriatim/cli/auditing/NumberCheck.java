// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Finds duplicates, gaps and strays among numbers that are sorted in the direction of their sequence, and reports each
 * as soon as it is known. Needs constant memory, and that of the pool. Not thread-safe.
 */
final class NumberCheck {

    private final Dealt dealt;
    private final Grid grid;
    private final Consumer<AuditFinding> found;
    private final Stretch all = new Stretch();
    private final Stretch strays = new Stretch();
    private final Stretch undealt = new Stretch();
    private LaidOut pool;
    private long rows;
    private long current;
    private long rowsOfCurrent;
    private boolean begun;
    /** The place of the last dealt number that is present; valid once begun. */
    private long reached;

    NumberCheck(Dealt dealt, Consumer<AuditFinding> found) {
        this.dealt = dealt;
        this.grid = dealt.grid();
        this.found = found;
        pool = LaidOut.nothing(grid);
    }

    /**
     * Takes the numbers of the pool, before all others. They are not missing, and the sequence will deal those that are
     * present.
     */
    void laidOut(LaidOut numbers) {
        pool = numbers;
    }

    /**
     * Takes the next number.
     *
     * @throws IllegalStateException if it is out of order
     */
    void number(long number) {
        if (rows > 0 && grid.before(number, current)) {
            throw new IllegalStateException("the store sorted " + number + " after " + current);
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

    /** Call after the last number: reports the last findings. */
    void end() {
        endOfCurrent();
        endOfStrays();
    }

    /** Returns the number of rows. */
    long rows() {
        return rows;
    }

    /** Returns the numbers that are present. */
    Optional<NumberRange> all() {
        return all.range();
    }

    /** Returns the present numbers that are beyond the counter or in the pool: the sequence will deal them again. */
    Optional<NumberRange> undealt() {
        return undealt.range();
    }

    /** Returns the numbers that were dealt after the last present one, without those in the pool. */
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
        if (number == grid.number(afterReached())) { // the usual case; the others need divisions
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
                    (first, last) ->
                            found.accept(new AuditFinding.Numbers(Kind.GAP, NumberRange.of(grid, first, last))));
        }
        begun = true;
        reached = place;
    }

    private long afterReached() {
        return begun ? reached + 1 : 0;
    }

    private void endOfCurrent() {
        if (rowsOfCurrent > 1) {
            found.accept(new AuditFinding.Duplicate(current, rowsOfCurrent));
        }
    }

    private void endOfStrays() {
        strays.end().ifPresent(range -> found.accept(new AuditFinding.Numbers(Kind.STRAY, range)));
    }
}
