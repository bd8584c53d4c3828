// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One client of a run, with its own records, so that threads share nothing. Others read it when its thread has ended. */
final class Worker {

    private static final long LONGEST_LATENCY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long LOOK_EVERY_MILLIS = 200;

    final Histogram latencies = new Histogram(1, LONGEST_LATENCY_NANOS, SIGNIFICANT_DIGITS);

    /** Measured iterations that completed, and the numbers that they drew. */
    long completed;

    long numbers;
    long errors;

    String failure = "";

    final Iteration iteration;

    long ended;

    private final DrawLog draw;
    private final LongStream.Builder unsure = LongStream.builder();
    private long unseen;

    private Worker(Iteration iteration, int expected, boolean timed) {
        this.iteration = iteration;
        this.draw = new DrawLog(expected, timed);
    }

    /**
     * Runs clients, each on its own thread, and returns them when all have ended. If interrupted, it signals them to stop and
     * waits for them: threads inside a database driver are never interrupted.
     *
     * @param whileWaiting called a few times per second
     */
    static List<Worker> run(
            int clients,
            Iteration iteration,
            int expected,
            boolean timed,
            AtomicBoolean stop,
            Consumer<Worker> task,
            Runnable whileWaiting) {
        List<Worker> workers = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        AtomicReference<@Nullable Throwable> crash = new AtomicReference<>();
        for (int i = 1; i <= clients; i++) {
            Worker worker = new Worker(iteration.ofOneClient(), expected, timed);
            workers.add(worker);
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.accept(worker);
                        } catch (Throwable e) { // such as out of memory: without it, the others would wait forever
                            crash.compareAndSet(null, e);
                            stop.set(true);
                        } finally {
                            worker.ended = System.nanoTime();
                        }
                    },
                    "bench-" + i);
            thread.setDaemon(true);
            running.add(thread);
        }
        running.forEach(Thread::start);
        running.forEach(thread -> await(thread, stop, whileWaiting));
        Throwable crashed = crash.get();
        if (crashed != null) {
            throw new IllegalStateException("a benchmark thread failed: " + crashed, crashed);
        }
        return workers;
    }

    private static void await(Thread thread, AtomicBoolean stop, Runnable whileWaiting) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(LOOK_EVERY_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
                stop.set(true);
            }
            whileWaiting.run();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs one iteration and records its latency from its intended start. */
    void measure(long intended) {
        if (run()) {
            latencies.recordValue(Math.min(System.nanoTime() - intended, LONGEST_LATENCY_NANOS));
            completed++;
            numbers += draw.count() + draw.unseen;
        }
    }

    void drawUntimed(LongSupplier sequence) {
        try {
            draw.took(sequence.getAsLong());
            completed++;
            numbers++;
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    DrawnNumbers draws() {
        return draw.drawn(unsure.build().toArray(), unseen);
    }

    /** Runs one iteration without recording its latency, and returns whether it completed. */
    boolean run() {
        draw.next();
        try {
            boolean whole = iteration.run(draw);
            unseen += draw.unseen;
            return whole;
        } catch (RuntimeException e) {
            if (e instanceof SequenceException.CommitOutcomeUnknown) {
                LongStream.of(draw.values()).forEach(unsure::add);
            }
            draw.restart();
            failed(e);
            return false;
        }
    }

    private void failed(RuntimeException e) {
        errors++;
        if (failure.isEmpty()) {
            failure = String.valueOf(e.getMessage());
        }
    }
}
