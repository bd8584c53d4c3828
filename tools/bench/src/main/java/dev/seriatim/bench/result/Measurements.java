// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of one call of the benchmark, and its environment. The components, in snake case, are the keys of the JSON object.
 * Immutable.
 *
 * @param store the store, without secrets
 * @param engine the database product and version, as it reports them
 * @param settings the database settings that determine durability, by name
 * @param reservationMs duration of a single reservation, in milliseconds
 * @param rowMs how long a reservation keeps its row from others
 * @param readMs duration of a read of the counter; null if the store cannot confirm
 * @param measuredAt the start, such as {@code "2026-11-21T12:00:00Z"}
 * @param command the command that measured it, without secrets
 * @param runs the runs, ordered by scenario, experiment, threads and mode
 */
public record Measurements(
        String store,
        String engine,
        Map<String, String> settings,
        double reservationMs,
        double rowMs,
        @Nullable Double readMs,
        String jdk,
        int cores,
        String measuredAt,
        String command,
        boolean interrupted,
        List<Figures> runs,
        List<NotOffered> notOffered) {}
