// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.session;

import dev.seriatim.lab.bench.contender.RunPlan;
import dev.seriatim.lab.bench.scenario.PlannedComparison;
import dev.seriatim.lab.report.Figures;
import dev.seriatim.lab.report.Measurements;
import java.util.List;
import java.util.function.Consumer;

/** Says what comes out of runs. Not thread-safe. */
public interface Report {

    /** What is to be run, when all that is left out has been told. */
    default void begin(List<PlannedComparison> comparisons) {}

    /** A run has been made, once or in several rounds, and this is what comes of it. */
    default void run(List<RunResult> rounds, Figures figures) {}

    /** A run was left out. */
    default void leftOut(RunPlan plan, String reason) {}

    /** All runs have ended, or as many as there were before an interruption. */
    void end(Measurements measurements);

    /** Says everything at the end. */
    static Report atTheEnd(Consumer<Measurements> saying) {
        return saying::accept;
    }

    /** Says it in several ways at once. */
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
