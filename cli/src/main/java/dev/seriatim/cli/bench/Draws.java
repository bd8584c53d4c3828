// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Every number that a run drew and kept, those of the warm-up included. Nobody changes it. */
final class Draws {

    final long[] values;

    /** When each draw began, by the system's timer in nanoseconds; empty when nobody asks for the order. */
    final long[] began;

    /** When each draw returned; empty when nobody asks for the order. */
    final long[] returned;

    /** Numbers of which nobody knows whether they were committed. */
    final long[] unsure;

    /** Rows whose numbers were not shown to us. */
    final long unseen;

    Draws(List<Worker> workers) {
        unseen = workers.stream().mapToLong(w -> w.unseen).sum();
        values = merge(workers, w -> w.values);
        began = merge(workers, w -> w.began);
        returned = merge(workers, w -> w.returned);
        unsure = merge(workers, w -> w.unsure);
    }

    Draws(long[] values, long[] began, long[] returned, long[] unsure, long unseen) {
        this.values = values;
        this.began = began;
        this.returned = returned;
        this.unsure = unsure;
        this.unseen = unseen;
    }

    /** Those of another process as well. */
    Draws and(Draws others) {
        return new Draws(
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
