// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Iterations arrive at a fixed rate, whether or not earlier ones have ended; threads take the arrivals in turn.
 *
 * <p>Latency is measured from the intended arrival, so it includes the wait for a free thread: no coordinated omission. The
 * warm-up comes first, at the same rate, and is not recorded. Iterations that do not start within a grace period after the last
 * arrival count as errors.
 *
 * @param perSecond arrivals per second on average
 * @param burst arrivals at once
 * @param warmUp arrivals of the warm-up
 */
public record OpenLoop(double perSecond, int burst, Duration duration, long warmUp) implements Workload {

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String scenario() {
        return "open-loop";
    }

    @Override
    public double estimateSeconds(double limitPerSecond) {
        double asPlanned = duration.toNanos() / SECOND + warmUp / perSecond;
        return Math.min(asPlanned + GRACE_NANOS / SECOND, Math.max(asPlanned, total() / limitPerSecond));
    }

    @Override
    public long total() {
        return warmUp + Math.max(1, Math.round(perSecond * duration.toNanos() / SECOND));
    }

    /** Returns when an arrival is due, in nanoseconds after the first. */
    long due(long arrival) {
        return Math.round(arrival / burst * burst * (SECOND / perSecond));
    }

    @Override
    public Measured run(int clients, boolean timed, Iteration iteration, AtomicBoolean stop, LongConsumer begun) {
        long first = System.nanoTime() + LEAD_NANOS;
        AtomicLong next = new AtomicLong();
        AtomicLong unserved = new AtomicLong();
        Pause pause = new Pause(stop);
        List<Worker> workers = Worker.run(
                clients,
                iteration,
                expected(clients),
                timed,
                stop,
                worker -> serve(worker, next, unserved, first, pause),
                () -> begun.accept(Math.min(next.get(), total())));
        long lasted = workers.stream().mapToLong(w -> w.ended - first).max().orElse(0) - due(warmUp);
        return Measured.by(workers, stop.get() ? lasted : Math.max(lasted, duration.toNanos()), unserved.get());
    }

    private void serve(Worker worker, AtomicLong next, AtomicLong unserved, long first, Pause pause) {
        long all = total();
        long closing = first + due(all) + GRACE_NANOS;
        for (long arrival = next.getAndIncrement(); arrival < all; arrival = next.getAndIncrement()) {
            long intended = first + due(arrival);
            if (!pause.until(intended)) {
                return;
            }
            if (System.nanoTime() - closing > 0) {
                unserved.incrementAndGet();
            } else if (arrival < warmUp) {
                worker.run();
                worker.errors = 0;
            } else {
                worker.measure(intended);
            }
        }
    }
}
