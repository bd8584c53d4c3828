// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.site;

import dev.seriatim.store.OpenStore;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures a store's reservation latency: the median of 20 sequential reservations, after half a second of warm-up.
 */
public final class ReservationLatency {

    private static final int WARM_UP = 5;
    private static final int LONGEST_WARM_UP = 500;
    private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MEASURED = 20;

    private ReservationLatency() {}

    /** In nanoseconds. */
    public static long of(OpenStore store) {
        try (ScratchSequence scratch = ScratchSequence.in(store)) {
            warmUp(store, scratch);
            long[] took = new long[MEASURED];
            Arrays.setAll(took, i -> reserve(store, scratch));
            Arrays.sort(took);
            return Math.max(1, (took[MEASURED / 2 - 1] + took[MEASURED / 2]) / 2);
        }
    }

    private static void warmUp(OpenStore store, ScratchSequence scratch) {
        long enough = System.nanoTime() + WARM_UP_NANOS;
        for (int i = 0; i < LONGEST_WARM_UP && (i < WARM_UP || System.nanoTime() < enough); i++) {
            reserve(store, scratch);
        }
    }

    private static long reserve(OpenStore store, ScratchSequence scratch) {
        long began = System.nanoTime();
        store.reserve(scratch.name(), 1);
        return System.nanoTime() - began;
    }
}
