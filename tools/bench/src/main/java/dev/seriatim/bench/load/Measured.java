// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.load;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The combined records of all workers of a run.
 *
 * @param completed measured iterations that completed
 * @param numbers the numbers that they drew
 * @param errors iterations that failed or did not start in time; included in no other figure
 * @param nanos duration of the measured part
 * @param latencies of completed iterations, in nanoseconds
 * @param draws every number drawn
 * @param failure the first failure
 */
public record Measured(
        long completed,
        long numbers,
        long errors,
        long nanos,
        Histogram latencies,
        DrawnNumbers draws,
        Optional<RuntimeException> failure) {

    static Measured by(List<Worker> workers, long nanos, long unserved) {
        Histogram latencies = new Histogram(3);
        workers.forEach(w -> latencies.add(w.latencies.getIntervalHistogram()));
        return new Measured(
                workers.stream().mapToLong(w -> w.completed).sum(),
                workers.stream().mapToLong(w -> w.numbers).sum(),
                workers.stream().mapToLong(w -> w.errors).sum() + unserved,
                Math.max(1, nanos),
                latencies,
                new DrawnNumbers(workers),
                workers.stream()
                        .flatMap(w -> Optional.ofNullable(w.failure).stream())
                        .findFirst());
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
                draws.and(other.draws),
                failure.or(() -> other.failure));
    }
}
