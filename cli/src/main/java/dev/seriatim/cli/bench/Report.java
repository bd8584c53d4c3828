// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.List;

/** Says what came out of runs. Not thread-safe. */
interface Report {

    /** One run has ended. */
    void run(RunResult result);

    /** A mode was left out. */
    void leftOut(RunPlan plan, String reason);

    /** All runs have ended, or as many as there were before an interruption. */
    void end(Laboratory laboratory, boolean interrupted);

    /** Says it in several ways at once. */
    static Report all(List<Report> reports) {
        return new Report() {
            @Override
            public void run(RunResult result) {
                reports.forEach(report -> report.run(result));
            }

            @Override
            public void leftOut(RunPlan plan, String reason) {
                reports.forEach(report -> report.leftOut(plan, reason));
            }

            @Override
            public void end(Laboratory laboratory, boolean interrupted) {
                reports.forEach(report -> report.end(laboratory, interrupted));
            }
        };
    }
}
