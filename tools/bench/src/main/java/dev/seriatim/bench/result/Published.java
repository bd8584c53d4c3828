// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * The published figures of an experiment; null where there is none. Immutable.
 *
 * @param system the measured system, such as {@code "Spanner"}
 * @param name the name of the mode in the publication
 * @param valuesPerSecond numbers drawn, or rows inserted, per second
 * @param meanMs the mean latency
 * @param minMs the shortest latency
 * @param p50Ms the median latency
 * @param p90Ms the 90th percentile of the latency
 * @param p99Ms the 99th percentile
 * @param maxMs the longest latency
 * @param totalMs the total duration
 */
public record Published(
        String system,
        String name,
        @Nullable Double valuesPerSecond,
        @Nullable Double meanMs,
        @Nullable Double minMs,
        @Nullable Double p50Ms,
        @Nullable Double p90Ms,
        @Nullable Double p99Ms,
        @Nullable Double maxMs,
        @Nullable Double totalMs) {}
