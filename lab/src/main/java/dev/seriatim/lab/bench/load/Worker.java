// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.load;

import dev.seriatim.SequenceException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One client of a run, with a recorder and notes of its own, so that measuring shares nothing between threads. Used by
 * its thread; read by others when that has ended.
 */
public final class Worker {

    private static final long LONGEST_LATENCY_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int SIGNIFICANT_DIGITS = 3;

    final SingleWriterRecorder latencies = new SingleWriterRecorder(1, LONGEST_LATENCY_NANOS, SIGNIFICANT_DIGITS);
    public final LongLog values;
    final LongLog began;
    final LongLog returned;
    final LongLog unsure = new LongLog(0);
    long completed;

    /** Numbers of the iterations that were measured to their end. */
    long numbers;

    /** Rows, of all iterations, whose numbers were not shown to us. */
    long unseen;

    long errors;
    long ended;

    @Nullable
    RuntimeException failure;

    private final Iteration iteration;
    private final boolean keepTimes;
    private final DrawLog draw = new DrawLog();

    /**
     * A client that has done nothing yet.
     *
     * @param expected about how many numbers it will draw
     */
    public Worker(Iteration iteration, int expected, boolean keepTimes) {
        this.iteration = iteration;
        this.keepTimes = keepTimes;
        this.values = new LongLog(expected);
        this.began = new LongLog(keepTimes ? expected : 0);
        this.returned = new LongLog(keepTimes ? expected : 0);
    }

    /** One iteration whose latency does not count. */
    public void warmUp() {
        run();
    }

    /** One iteration, its latency counted from its start. */
    void measure() {
        if (run()) {
            completed(draw.finished - draw.started);
        }
    }

    /** One iteration, its latency counted from when it should have begun. */
    void measureFrom(long intended) {
        if (run()) {
            completed(draw.finished - intended);
        }
    }

    /** The draw alone, where an iteration is nothing else. */
    Optional<LongSupplier> bare() {
        return iteration.bare();
    }

    /** One draw, counted but not timed. */
    void drawUntimed(LongSupplier sequence) {
        try {
            values.add(sequence.getAsLong());
            completed++;
            numbers++;
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Forgets the errors so far: those of the warm-up. */
    void begin() {
        errors = 0;
    }

    private void completed(long latency) {
        latencies.recordValue(Math.min(latency, LONGEST_LATENCY_NANOS));
        completed++;
        numbers += draw.count() + draw.unseen;
    }

    private boolean run() {
        draw.restart();
        try {
            boolean whole = iteration.run(draw);
            note();
            return whole;
        } catch (SequenceException.CommitOutcomeUnknown e) {
            for (int i = 0; i < draw.count(); i++) {
                unsure.add(draw.value(i));
            }
            failed(e);
        } catch (RuntimeException e) {
            failed(e);
        }
        return false;
    }

    private void note() {
        unseen += draw.unseen;
        for (int i = 0; i < draw.count(); i++) {
            values.add(draw.value(i));
            if (keepTimes) {
                began.add(draw.began(i));
                returned.add(draw.returned(i));
            }
        }
    }

    private void failed(RuntimeException e) {
        errors++;
        if (failure == null) {
            failure = e;
        }
    }
}
