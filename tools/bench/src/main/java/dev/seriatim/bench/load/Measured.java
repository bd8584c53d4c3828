// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.io.Serializable;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The combined records of all clients of a run.
 *
 * @param completed measured iterations that completed
 * @param errors iterations that failed or did not start in time; included in no other figure
 * @param latencies of completed iterations, in nanoseconds
 * @param failure the message of the first failure; empty if there is none
 */
public record Measured(
        long completed, long numbers, long errors, long nanos, Histogram latencies, DrawnNumbers draws, String failure)
        implements Serializable {

    static Measured by(List<Worker> workers, long nanos, long unserved) {
        Histogram latencies = new Histogram(3);
        workers.forEach(worker -> latencies.add(worker.latencies));
        return new Measured(
                workers.stream().mapToLong(worker -> worker.completed).sum(),
                workers.stream().mapToLong(worker -> worker.numbers).sum(),
                workers.stream().mapToLong(worker -> worker.errors).sum() + unserved,
                Math.max(1, nanos),
                latencies,
                DrawnNumbers.joined(workers.stream().map(Worker::draws).toList()),
                workers.stream()
                        .map(worker -> worker.failure)
                        .filter(failure -> !failure.isEmpty())
                        .findFirst()
                        .orElse(""));
    }

    /** Adds what another process measured at the same time. */
    public Measured and(Measured other) {
        Histogram both = latencies.copy();
        both.add(other.latencies);
        return new Measured(
                completed + other.completed,
                numbers + other.numbers,
                errors + other.errors,
                Math.max(nanos, other.nanos),
                both,
                DrawnNumbers.joined(List.of(draws, other.draws)),
                failure.isEmpty() ? other.failure : failure);
    }
}
