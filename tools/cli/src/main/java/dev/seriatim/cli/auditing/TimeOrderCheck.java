// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Finds lower numbers at later times, in constant memory. Not thread-safe. */
final class TimeOrderCheck {

    private final Grid grid;
    private final Consumer<Finding> found;
    private long previous;
    private long rows;

    TimeOrderCheck(Grid grid, Consumer<Finding> found) {
        this.grid = grid;
        this.found = found;
    }

    /** Takes the next number by time; those of the same time must come in the direction of the sequence. */
    void number(long number, Supplier<String> time) {
        if (rows > 0 && grid.before(number, previous)) {
            found.accept(new Finding.OutOfOrder(number, previous, time.get()));
        }
        previous = number;
        rows++;
    }

    long rows() {
        return rows;
    }
}
