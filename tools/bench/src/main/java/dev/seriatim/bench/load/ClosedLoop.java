// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A fixed number of threads runs all iterations; each thread starts its next one when its last one ends.
 *
 * <p>Latency is measured from the start of an iteration. The warm-up comes first and is not recorded; all threads wait for each
 * other after it. Of draws from memory without other work, one in 64 is timed: timing each would cost as much as the draw.
 */
public record ClosedLoop(Extent measured, Extent warmUp) implements Workload {

    private static final int RUN_OF_BARE_DRAWS = 64;
    private static final long ROUNDS_TO_SETTLE = 2;
    private static final long ROUNDS_TO_SETTLE_SIZES = 20;
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * A number of iterations, or a duration, whichever ends first. Immutable.
     *
     * @param iterations maximum iterations; bounded also for a duration, since each number is kept until it is checked
     * @param time maximum duration; zero if there is none
     */
    public record Extent(long iterations, Duration time) implements Serializable {

        boolean isTimed() {
            return !time.isZero();
        }

        /** Returns the end for a start, both of {@link System#nanoTime}. */
        private long deadline(long begun) {
            return isTimed() ? begun + time.toNanos() : begun + Long.MAX_VALUE / 2;
        }

        private double estimateSeconds(double perSecond) {
            double counted = iterations / perSecond;
            double timed = time.toNanos() / SECOND;
            return !isTimed() ? counted : Double.isInfinite(perSecond) ? timed : Math.min(counted, timed);
        }
    }

    public ClosedLoop(long iterations, long warmUp) {
        this(new Extent(iterations, Duration.ZERO), new Extent(warmUp, Duration.ZERO));
    }

    /**
     * Returns the warm-up after which threads are running and adaptive sizes have settled; at most half of the measured part.
     *
     * @param inBlocks whether blocks are reserved ahead, whose sizes need many draws to settle
     */
    public static long warmUpOf(boolean inBlocks, int threads, long iterations) {
        long rounds = inBlocks ? ROUNDS_TO_SETTLE_SIZES : ROUNDS_TO_SETTLE;
        return Math.min(iterations / 2, rounds * threads);
    }

    public boolean isTimed() {
        return measured.isTimed();
    }

    @Override
    public String scenario() {
        return "modes";
    }

    @Override
    public long total() {
        return isTimed() ? 0 : warmUp.iterations + measured.iterations;
    }

    @Override
    public double estimateSeconds(double limitPerSecond) {
        return warmUp.estimateSeconds(limitPerSecond) + measured.estimateSeconds(limitPerSecond);
    }

    @Override
    public Measured run(int clients, boolean timed, Iteration iteration, AtomicBoolean stop, LongConsumer begun) {
        long before = System.nanoTime();
        AtomicLong fired = new AtomicLong();
        Phaser gun = new Phaser(clients) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                fired.set(System.nanoTime());
                return true;
            }
        };
        Laps laps = new Laps(stop, new AtomicLong(), new AtomicLong(), fired, gun);
        List<Worker> workers = Worker.run(
                clients,
                iteration,
                expected(clients),
                timed,
                stop,
                worker -> run(worker, laps),
                () -> begun.accept(Math.min(warmUp.iterations, laps.warm.get())
                        + Math.min(measured.iterations, laps.claimed.get())));
        long ended = workers.stream().mapToLong(w -> w.ended - before).max().orElse(0);
        return Measured.by(workers, ended - (fired.get() - before), 0);
    }

    /** The state that the clients share; {@code gun} starts all measured parts at once, at {@code fired}. */
    private record Laps(AtomicBoolean stop, AtomicLong warm, AtomicLong claimed, AtomicLong fired, Phaser gun) {

        private boolean isOn(long until) {
            return !stop.get() && System.nanoTime() - until < 0;
        }
    }

    private void run(Worker worker, Laps laps) {
        try {
            long until = warmUp.deadline(System.nanoTime());
            while (laps.isOn(until) && laps.warm.getAndIncrement() < warmUp.iterations) {
                worker.run();
            }
        } finally {
            worker.errors = 0;
            laps.gun.arriveAndAwaitAdvance();
        }
        long until = measured.deadline(laps.fired.get());
        Optional<LongSupplier> bare = worker.iteration.bare();
        int atATime = bare.isPresent() ? RUN_OF_BARE_DRAWS : 1;
        while (laps.isOn(until)) {
            long left = measured.iterations - laps.claimed.getAndAdd(atATime);
            if (left <= 0) {
                return;
            }
            worker.measure(System.nanoTime());
            for (long i = 1; i < Math.min(atATime, left); i++) {
                worker.drawUntimed(bare.get());
            }
        }
    }
}
