// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.OpenStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Times calls of a store: single reservations, reads, and concurrent reservations. A server grows faster as it warms up, so the
 * fastest calls bound a run, and are measured again when a run exceeds that bound. Not thread-safe.
 */
public final class TimedCalls {

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int WARM_UP = 5;
    private static final int LONGEST_WARM_UP = 500;
    private static final Duration WARM_UP_TIME = Duration.ofMillis(500);
    private static final int MEASURED = 20;
    private static final Duration LONGEST_READ = Duration.ofSeconds(1);

    private final OpenStore store;
    private final Optional<ConfirmingStore> confirming;
    private final StoreTimes usual;
    private StoreTimes fastest;

    public TimedCalls(OpenStore store) {
        this.store = store;
        confirming = store instanceof ConfirmingStore reads
                        && ConfirmingStore.whyNot(store).isEmpty()
                ? Optional.of(reads)
                : Optional.empty();
        Looked looked = look(WARM_UP_TIME);
        usual = looked.usual;
        fastest = looked.fastest;
    }

    /** Times of one measurement, in seconds. */
    private record Looked(StoreTimes usual, StoreTimes fastest) {}

    /** Returns the median times at the beginning. */
    public StoreTimes usual() {
        return usual;
    }

    /** Returns the shortest times so far. */
    public StoreTimes fastest() {
        return fastest;
    }

    /** Returns whether the store has reads that confirm. */
    public boolean hasReads() {
        return confirming.isPresent();
    }

    public void lookAgain() {
        fastest = fastest.orShorter(look(Duration.ZERO).fastest);
    }

    private Looked look(Duration warmUp) {
        try (ScratchSequence scratch = ScratchSequence.in(store)) {
            Runnable reserve = () -> store.reserve(scratch.name(), 1);
            double[] reservations = warm(reserve, warmUp);
            double[] reads = confirming
                    .map(reading -> warm(() -> read(reading, scratch.name()), warmUp))
                    .orElse(reservations);
            double[] rows = RowTime.of(reserve, reservations[0]);
            return new Looked(
                    times(reservations, reads, rows, TimedCalls::median),
                    times(reservations, reads, rows, all -> all[0]));
        }
    }

    /** Reads on the caller's thread if possible, as the mode does. */
    private static void read(ConfirmingStore store, String name) {
        if (store.readHere(name, LONGEST_READ).isEmpty()) {
            store.read(name);
        }
    }

    /** Keeps a row no longer than the whole reservation. */
    private static StoreTimes times(
            double[] reservations, double[] reads, double[] rows, ToDoubleFunction<double[]> kind) {
        double reservation = kind.applyAsDouble(reservations);
        double row = rows.length == 0 ? reservation : Math.min(reservation, kind.applyAsDouble(rows));
        return new StoreTimes(reservation, row, kind.applyAsDouble(reads));
    }

    private static double median(double[] sorted) {
        int upper = sorted.length / 2;
        return (sorted[(sorted.length - 1) / 2] + sorted[upper]) / 2;
    }

    private static double[] warm(Runnable call, Duration warmUp) {
        long enough = System.nanoTime() + warmUp.toNanos();
        for (int i = 0; i < LONGEST_WARM_UP && (i < WARM_UP || System.nanoTime() < enough); i++) {
            call.run();
        }
        return seconds(MEASURED, call);
    }

    /** Returns the seconds that a call takes, several times, in ascending order. */
    private static double[] seconds(int times, Runnable call) {
        return DoubleStream.generate(() -> {
                    long began = System.nanoTime();
                    call.run();
                    return Math.max(1, System.nanoTime() - began) / SECOND;
                })
                .limit(times)
                .sorted()
                .toArray();
    }
}
