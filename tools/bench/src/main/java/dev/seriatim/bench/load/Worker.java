// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import dev.seriatim.SequenceException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One client of a run, with its own recorder and logs, so that threads share nothing while they measure. Used by its thread, and
 * read by others when that has ended.
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

    /** Numbers of the measured iterations that completed. */
    long numbers;

    /** Rows of all iterations whose numbers the database did not return. */
    long unseen;

    long errors;
    long ended;

    @Nullable
    RuntimeException failure;

    private final Iteration iteration;
    private final boolean keepTimes;
    private final DrawLog draw = new DrawLog();

    /**
     * Creates a client.
     *
     * @param expected the estimated number of draws
     */
    public Worker(Iteration iteration, int expected, boolean keepTimes) {
        this.iteration = iteration;
        this.keepTimes = keepTimes;
        this.values = new LongLog(expected);
        this.began = new LongLog(keepTimes ? expected : 0);
        this.returned = new LongLog(keepTimes ? expected : 0);
    }

    /** Runs one iteration without recording its latency. */
    public void warmUp() {
        run();
    }

    /** Runs one iteration and records its latency from its start. */
    void measure() {
        if (run()) {
            completed(draw.finished - draw.started);
        }
    }

    /** Runs one iteration and records its latency from its intended start. */
    void measureFrom(long intended) {
        if (run()) {
            completed(draw.finished - intended);
        }
    }

    /** Returns the draw if an iteration is nothing else. */
    Optional<LongSupplier> bare() {
        return iteration.bare();
    }

    /** Draws and counts, without timing. */
    void drawUntimed(LongSupplier sequence) {
        try {
            values.add(sequence.getAsLong());
            completed++;
            numbers++;
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Discards the errors of the warm-up. */
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
