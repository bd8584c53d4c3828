// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * The published figures of an experiment; null where there is none. Immutable.
 *
 * @param system the measured system, such as {@code "Spanner"}
 * @param name the name of the mode in the publication
 * @param valuesPerSecond numbers drawn, or rows inserted, per second
 * @param totalMs the total duration; the other times are latencies
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
