// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings and figures of one run. The components, in snake case, are the keys of a run in JSON; null where they do not
 * apply. Immutable.
 *
 * @param scenario the scenario, or {@code "modes"} or {@code "open-loop"}
 * @param experiment the experiment, such as {@code "10 rows per transaction"}; empty if the scenario has only one
 * @param mode the name of the mode or baseline, such as {@code "AUTO_INCREMENT"}
 * @param label the name with the settings that distinguish it in its experiment
 * @param threads concurrent clients in each process
 * @param iterations iterations started, including failed ones
 * @param batchSize values per block
 * @param lowWaterMark values left when the next block is fetched
 * @param appLatencyMs duration of the simulated application transaction
 * @param arrivalsPerSecond at a fixed rate: arrivals per second
 * @param burst at a fixed rate: arrivals at once
 * @param rowsPerTransaction rows inserted per transaction, or 0
 * @param valuesPerSecond numbers drawn per second, by all processes together
 * @param limitPerSecond the maximum at the shortest latencies observed, at least what was reached
 * @param meanMs the mean latency of an iteration; its percentiles follow
 * @param errors iterations that failed
 * @param duplicates numbers dealt more than once
 * @param orderViolations draws of a lower number than one that had returned before; null if no order is promised
 * @param gaps missing numbers; null if gaps are allowed
 * @param reservedPerUsed values reserved per value drawn, in modes that reserve ahead
 * @param rounds the values per second of each round; the other figures are those of the median round, except duplicates, order
 *     violations and gaps, which are sums over all rounds
 */
public record Figures(
        String scenario,
        String experiment,
        String mode,
        String label,
        int threads,
        int processes,
        long iterations,
        @Nullable Long batchSize,
        @Nullable Long lowWaterMark,
        double appLatencyMs,
        @Nullable Double arrivalsPerSecond,
        @Nullable Integer burst,
        int rowsPerTransaction,
        double valuesPerSecond,
        @Nullable Double limitPerSecond,
        double meanMs,
        double minMs,
        double p50Ms,
        double p75Ms,
        double p90Ms,
        double p99Ms,
        double maxMs,
        double totalMs,
        long errors,
        long duplicates,
        @Nullable Long orderViolations,
        @Nullable Long gaps,
        @Nullable Double reservedPerUsed,
        List<Double> rounds,
        @Nullable Published published) {

    /** Returns the share of the limit that was reached; null if no limit is known. */
    public @Nullable Double limitRatio() {
        return limitPerSecond == null ? null : valuesPerSecond / limitPerSecond;
    }

    /** Returns a published figure; null if none was published. */
    public @Nullable Double quoted(Function<Published, @Nullable Double> figure) {
        return published == null ? null : figure.apply(published);
    }

    /** Returns values per second over the published ones; null if none were published. */
    @Nullable
    Double publishedRatio() {
        Double theirs = quoted(Published::valuesPerSecond);
        return theirs == null ? null : valuesPerSecond / theirs;
    }

    /** Returns the values per block, with the low-water mark if the mode has one; null without blocks. */
    public @Nullable String block() {
        return batchSize == null ? null : batchSize + (lowWaterMark == null ? "" : "/" + lowWaterMark);
    }

    /** Returns whether the run broke a promise of its mode: duplicates, order violations or gaps. */
    boolean broken() {
        return duplicates > 0 || violations() > 0 || missing() > 0;
    }

    long violations() {
        return orderViolations == null ? 0 : orderViolations;
    }

    long missing() {
        return gaps == null ? 0 : gaps;
    }
}
