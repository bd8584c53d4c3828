// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Stores the numbers that one transaction draws, and rolls back to points in it. For use by one thread. */
final class Keeping<T> {

    private record Point(Ground.Undo undo, int size) {}

    private final Ground<T> ground;
    private final T transaction;
    private final TableAccount.Attempt attempt;
    private final List<Point> points = new ArrayList<>();

    Keeping(Ground<T> ground, T transaction, TableAccount.Attempt attempt) {
        this.ground = ground;
        this.transaction = transaction;
        this.attempt = attempt;
        attempt.run();
    }

    void keep(long number) throws Exception {
        ground.keep(transaction, attempt.row(number));
    }

    void keepAll(LongStream numbers) throws Exception {
        for (long number : numbers.toArray()) {
            keep(number);
        }
    }

    /** Marks a point, through the handle of the transaction. */
    void mark() throws Exception {
        mark(ground.mark(transaction));
    }

    void mark(Ground.Undo undo) {
        points.add(new Point(undo, attempt.size()));
    }

    /** Rolls back to one of the points, if there is one; later points are gone. */
    boolean back(RandomChoices chance) throws Exception {
        if (points.isEmpty()) {
            return false;
        }
        int to = chance.pick(points.size());
        points.subList(to + 1, points.size()).clear();
        points.get(to).undo().back();
        attempt.back(points.get(to).size());
        return true;
    }
}
