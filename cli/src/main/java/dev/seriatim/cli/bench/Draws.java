// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.List;
import java.util.function.Function;

/** Every number that a run drew and kept, those of the warm-up included. Nobody changes it. */
final class Draws {

    final long[] values;

    /** When each draw began, in nanoseconds; empty when nobody asks for the order. */
    final long[] began;

    /** When each draw returned; empty when nobody asks for the order. */
    final long[] returned;

    /** Numbers of which nobody knows whether they were committed. */
    final long[] unsure;

    Draws(List<Worker> workers) {
        values = merge(workers, w -> w.values);
        began = merge(workers, w -> w.began);
        returned = merge(workers, w -> w.returned);
        unsure = merge(workers, w -> w.unsure);
    }

    private static long[] merge(List<Worker> workers, Function<Worker, LongLog> log) {
        return LongLog.merge(workers.stream().map(log).toList());
    }
}
