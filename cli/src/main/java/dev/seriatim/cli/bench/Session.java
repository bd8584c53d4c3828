// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.OpenStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs plans one after another and reports. Not thread-safe. */
final class Session {

    /** A check of the numbers failed. */
    static final int WRONG_NUMBERS = 3;

    private static final int DONE = 0;
    private static final int FAILED = 1;

    private final Laboratory laboratory;
    private final StopSignal stop;
    private final Report report;
    private final PrintWriter err;
    private final List<String> failures = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    Session(Laboratory laboratory, StopSignal stop, Report report, PrintWriter err) {
        this.laboratory = laboratory;
        this.stop = stop;
        this.report = report;
        this.err = err;
    }

    /** Runs them all, or until stopped, and returns the exit code. */
    int run(List<RunPlan> plans) {
        OpenStore store = laboratory.store();
        announce(plans.stream()
                .filter(plan -> plan.mode().missingFrom(store).isEmpty())
                .toList());
        for (RunPlan plan : plans) {
            Optional<String> missing = plan.mode().missingFrom(store);
            if (stop.isSet()) {
                break;
            } else if (missing.isPresent()) {
                report.leftOut(plan, missing.get());
            } else {
                run(plan);
            }
        }
        report.end(laboratory, stop.isSet());
        if (stop.isSet()) {
            err.println("seriatim: interrupted; reported is what was measured until then");
        }
        failures.forEach(err::println);
        faults.forEach(err::println);
        return !faults.isEmpty() ? WRONG_NUMBERS : !failures.isEmpty() ? FAILED : DONE;
    }

    private void announce(List<RunPlan> plans) {
        double seconds = plans.stream().mapToDouble(laboratory::estimateSeconds).sum();
        err.println("seriatim: " + plans.size() + (plans.size() == 1 ? " run" : " runs") + " on " + laboratory.store()
                + ", about " + Estimate.words(seconds));
        err.flush();
    }

    private void run(RunPlan plan) {
        RunResult result = laboratory.run(plan);
        Measured measured = result.measured();
        List<String> found = result.check().faults();
        if (!found.isEmpty()) {
            faults.add("seriatim: " + plan.fullTitle() + ": " + String.join(", ", found)
                    + "; do not trust this store in this mode");
        }
        if (measured.completed() > 0 || !stop.isSet()) {
            report.run(result);
        }
        if (measured.completed() == 0 && measured.errors() > 0) {
            failures.add("seriatim: " + plan.fullTitle() + ": every iteration failed: "
                    + measured.failure().map(RuntimeException::getMessage).orElse("no arrival was served in time"));
        }
    }
}
