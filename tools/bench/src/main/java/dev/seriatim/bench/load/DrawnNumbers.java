// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** All numbers that a run drew, including its warm-up. Never modified. */
public final class DrawnNumbers {

    public final long[] values;

    /** The start of each draw, by {@link System#nanoTime}; empty if the order is not checked. */
    public final long[] began;

    /** The return of each draw; empty if the order is not checked. */
    public final long[] returned;

    /** Numbers whose commit is uncertain. */
    public final long[] unsure;

    /** Rows whose numbers the database did not return. */
    public final long unseen;

    public DrawnNumbers(List<Worker> workers) {
        unseen = workers.stream().mapToLong(w -> w.unseen).sum();
        values = merge(workers, w -> w.values);
        began = merge(workers, w -> w.began);
        returned = merge(workers, w -> w.returned);
        unsure = merge(workers, w -> w.unsure);
    }

    DrawnNumbers(long[] values, long[] began, long[] returned, long[] unsure, long unseen) {
        this.values = values;
        this.began = began;
        this.returned = returned;
        this.unsure = unsure;
        this.unseen = unseen;
    }

    /** Returns these numbers and those of another process. */
    DrawnNumbers and(DrawnNumbers others) {
        return new DrawnNumbers(
                joined(values, others.values),
                joined(began, others.began),
                joined(returned, others.returned),
                joined(unsure, others.unsure),
                unseen + others.unseen);
    }

    private static long[] joined(long[] first, long[] second) {
        return LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    }

    private static long[] merge(List<Worker> workers, Function<Worker, LongLog> log) {
        return LongLog.merge(workers.stream().map(log).toList());
    }
}
