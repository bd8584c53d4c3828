// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.Serializable;
import java.util.List;
import java.util.function.Function;

/** All numbers that a run drew, including its warm-up. Never modified. */
public final class DrawnNumbers implements Serializable {

    private static final long serialVersionUID = 1;

    public final long[] values;

    /** The start of each draw, by {@link System#nanoTime}; empty if the order is not checked. */
    public final long[] began;

    /** The return of each draw; empty if the order is not checked. */
    public final long[] returned;

    /** Numbers whose commit is uncertain. */
    public final long[] unsure;

    /** Rows whose numbers the database did not return. */
    public final long unseen;

    public DrawnNumbers(long[] values, long[] began, long[] returned, long[] unsure, long unseen) {
        this.values = values;
        this.began = began;
        this.returned = returned;
        this.unsure = unsure;
        this.unseen = unseen;
    }

    /** Returns the numbers of several clients or processes. */
    static DrawnNumbers joined(List<DrawnNumbers> all) {
        return new DrawnNumbers(
                joined(all, draws -> draws.values),
                joined(all, draws -> draws.began),
                joined(all, draws -> draws.returned),
                joined(all, draws -> draws.unsure),
                all.stream().mapToLong(draws -> draws.unseen).sum());
    }

    private static long[] joined(List<DrawnNumbers> all, Function<DrawnNumbers, long[]> part) {
        int size = all.stream().mapToInt(draws -> part.apply(draws).length).reduce(0, Math::addExact);
        long[] joined = new long[size];
        int at = 0;
        for (DrawnNumbers draws : all) {
            long[] numbers = part.apply(draws);
            System.arraycopy(numbers, 0, joined, at, numbers.length);
            at += numbers.length;
        }
        return joined;
    }
}
