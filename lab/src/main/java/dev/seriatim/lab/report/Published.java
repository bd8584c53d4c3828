// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import org.jspecify.annotations.Nullable;

/**
 * What was published for an experiment; null where a figure was not. Immutable and thread-safe.
 *
 * @param system what it was measured on, such as {@code "Spanner"}
 * @param name what the mode is called there
 * @param valuesPerSecond numbers drawn, or rows inserted, per second
 * @param meanMs the mean latency
 * @param minMs the shortest latency
 * @param p50Ms the latency that half of the iterations did not exceed
 * @param p90Ms the same for 90 %
 * @param p99Ms the same for 99 %
 * @param maxMs the longest latency
 * @param totalMs how long the whole took
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
