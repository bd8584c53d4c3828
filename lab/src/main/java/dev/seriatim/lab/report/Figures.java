// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run: what was run, and what was measured. Its components, in words with underscores, are the keys of a run in JSON;
 * what does not apply is null. Immutable and thread-safe.
 *
 * @param scenario which scenario it is part of, or {@code "modes"} or {@code "open-loop"}
 * @param experiment which experiment of the scenario, such as {@code "10 rows per transaction"}; empty where there is one
 * @param mode what drew the numbers: a mode's name, or a baseline's, such as {@code "AUTO_INCREMENT"}
 * @param label the same for people, with what sets it apart from others of its experiment
 * @param threads how many clients at a time, in each process
 * @param processes how many processes
 * @param iterations iterations that were begun, those that failed included
 * @param batchSize values per block
 * @param lowWaterMark values left when the next block is fetched
 * @param appLatencyMs how long the simulated application transaction takes
 * @param arrivalsPerSecond at a fixed rate: arrivals per second
 * @param burst at a fixed rate: how many arrive at once
 * @param rowsPerTransaction rows inserted per transaction; 0 when no rows are inserted
 * @param valuesPerSecond numbers drawn per second, by all processes together
 * @param limitPerSecond what would be possible at best with the latencies measured
 * @param meanMs the mean latency of an iteration
 * @param minMs the shortest latency
 * @param p50Ms the latency that half of the iterations did not exceed
 * @param p75Ms the same for 75 %
 * @param p90Ms the same for 90 %
 * @param p99Ms the same for 99 %
 * @param maxMs the longest latency
 * @param totalMs how long the whole took
 * @param errors iterations that failed
 * @param duplicates numbers dealt more than once
 * @param orderViolations draws that got a lower number than one that had returned before; null where no order is promised
 * @param gaps numbers missing; null where none are promised to be there
 * @param reservedPerUsed values reserved per value drawn, in modes that reserve ahead
 * @param rounds the values per second of each round; the figures above are those of the median round, but for duplicates,
 *     order violations and gaps, which are those of all rounds together
 * @param published what was published for the same experiment
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

    /** The share of the limit that was reached; null where no limit is known. */
    public @Nullable Double limitRatio() {
        return limitPerSecond == null ? null : valuesPerSecond / limitPerSecond;
    }

    /** Values per second over those published; null where none were. */
    public @Nullable Double publishedRatio() {
        Double theirs = published == null ? null : published.valuesPerSecond();
        return theirs == null ? null : valuesPerSecond / theirs;
    }
}
