// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import java.util.List;
import java.util.function.Consumer;

/** Receives results, and writes them. Not thread-safe. */
public interface Report {

    /** Called before the first run, after all calls of {@link #leftOut}. */
    default void begin(List<PlannedComparison> comparisons) {}

    /** Called when all rounds of a run have ended. */
    default void run(List<RunResult> rounds, Figures figures) {}

    /** Called for each run that the store does not offer. */
    default void leftOut(RunPlan plan, String reason) {}

    /** Called when all runs have ended, or after an interruption. */
    void end(Measurements measurements);

    /** Returns a report that is written at the end. */
    static Report atTheEnd(Consumer<Measurements> saying) {
        return saying::accept;
    }

    /** Combines several reports. */
    static Report all(List<Report> reports) {
        return new Report() {
            @Override
            public void begin(List<PlannedComparison> comparisons) {
                reports.forEach(report -> report.begin(comparisons));
            }

            @Override
            public void run(List<RunResult> rounds, Figures figures) {
                reports.forEach(report -> report.run(rounds, figures));
            }

            @Override
            public void leftOut(RunPlan plan, String reason) {
                reports.forEach(report -> report.leftOut(plan, reason));
            }

            @Override
            public void end(Measurements measurements) {
                reports.forEach(report -> report.end(measurements));
            }
        };
    }
}
