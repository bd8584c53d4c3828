// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Every number that a run drew and kept, those of the warm-up included. Nobody changes it. */
public final class DrawnNumbers {

    public final long[] values;

    /** When each draw began, by the system's timer in nanoseconds; empty when nobody asks for the order. */
    public final long[] began;

    /** When each draw returned; empty when nobody asks for the order. */
    public final long[] returned;

    /** Numbers of which nobody knows whether they were committed. */
    public final long[] unsure;

    /** Rows whose numbers were not shown to us. */
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

    /** Those of another process as well. */
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
