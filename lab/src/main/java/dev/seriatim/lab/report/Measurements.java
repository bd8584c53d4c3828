// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.List;
import java.util.Map;

/**
 * The results of one call of the benchmark, and its environment. The components, in snake case, are the keys of the JSON object.
 * Immutable.
 *
 * @param store the store, without secrets
 * @param engine the database product and version, as it reports them
 * @param settings the database settings that determine durability, by name
 * @param reservationMs duration of a single reservation, in milliseconds
 * @param jdk the version of Java
 * @param cores processors of the client
 * @param measuredAt the start, such as {@code "2026-11-21T12:00:00Z"}
 * @param command the command that measured it, without secrets
 * @param interrupted whether it was stopped before its end
 * @param runs the runs, ordered by scenario, experiment, threads and mode
 * @param notOffered runs that the store does not offer
 */
public record Measurements(
        String store,
        String engine,
        Map<String, String> settings,
        double reservationMs,
        String jdk,
        int cores,
        String measuredAt,
        String command,
        boolean interrupted,
        List<Figures> runs,
        List<NotOffered> notOffered) {

    /** Returns a copy with other runs. */
    Measurements with(List<Figures> others) {
        return new Measurements(
                store,
                engine,
                settings,
                reservationMs,
                jdk,
                cores,
                measuredAt,
                command,
                interrupted,
                others,
                notOffered);
    }
}
