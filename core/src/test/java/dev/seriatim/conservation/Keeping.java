// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Keeps the numbers that one transaction draws, and goes back to points of it. One thread's. */
final class Keeping<T> {

    private record Point(Ground.Undo undo, int size) {}

    private final Ground<T> ground;
    private final T transaction;
    private final Account.Attempt attempt;
    private final List<Point> points = new ArrayList<>();

    Keeping(Ground<T> ground, T transaction, Account.Attempt attempt) {
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

    /** A point, by the handle of the transaction. */
    void mark() throws Exception {
        mark(ground.mark(transaction));
    }

    void mark(Ground.Undo undo) {
        points.add(new Point(undo, attempt.size()));
    }

    /** Goes back to one of the points, if there is one; those behind it are gone. */
    boolean back(Chance chance) throws Exception {
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
