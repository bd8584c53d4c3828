// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.List;
import java.util.Map;

/**
 * All that one call of the benchmark measured, and on what. Its components, in words with underscores, are the keys of the
 * object in JSON. Immutable and thread-safe.
 *
 * @param store the store, without secrets
 * @param engine the product and its version, as it says itself
 * @param settings the settings that decide what a commit is worth, by name; in the order of interest
 * @param reservationMs how long a lone reservation takes, in milliseconds
 * @param jdk the version of Java
 * @param cores how many processors the client had
 * @param measuredAt when it began, such as {@code "2026-11-21T12:00:00Z"}
 * @param command the command that measured it, without secrets
 * @param interrupted whether it was stopped before its end
 * @param runs what was measured, in the order of the scenarios, their experiments, threads and modes
 * @param notOffered what was left out
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

    /** The same with other runs. */
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
