// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Summarizes the checks of all runs. */
final class Checks {

    private Checks() {}

    /** Returns whether a run broke the promise of its mode: duplicates, order violations, gaps or lost rows. */
    static boolean broken(Figures run) {
        return run.duplicates() > 0 || violations(run) > 0 || gaps(run) > 0;
    }

    /** Returns the result in one sentence. */
    static String inOneLine(Measurements measurements) {
        List<Figures> runs = measurements.runs();
        List<String> found = new ArrayList<>();
        add(found, runs, Figures::duplicates, "duplicate");
        add(found, runs, Checks::violations, "order violation");
        add(found, runs, Checks::gaps, "gap");
        add(found, runs, Figures::errors, "error");
        long rounds =
                runs.stream().mapToInt(run -> Math.max(1, run.rounds().size())).sum();
        String of = rounds == runs.size() ? "" : " from " + NumberFormats.counted(rounds, "run");
        String numbers = "In " + NumberFormats.counted(runs.size(), "result") + of + ", " + ordered(runs)
                + " of which had to be ordered and " + gapless(runs) + " gapless: ";
        return found.isEmpty()
                ? numbers + "no duplicate, no order violation, no gap, no error."
                : numbers + String.join("; ", found) + ".";
    }

    private static void add(List<String> found, List<Figures> runs, ToLongFunction<Figures> count, String what) {
        long sum = runs.stream().mapToLong(count).sum();
        if (sum > 0) {
            List<String> where = runs.stream()
                    .filter(run -> count.applyAsLong(run) > 0)
                    .map(run -> run.label() + " at " + NumberFormats.counted(run.threads(), "thread"))
                    .distinct()
                    .toList();
            String some = String.join(", ", where.subList(0, Math.min(3, where.size())));
            String more = where.size() > 3 ? " and " + (where.size() - 3) + " more" : "";
            found.add(NumberFormats.counted(sum, what) + " (" + some + more + ")");
        }
    }

    private static long violations(Figures run) {
        Long violations = run.orderViolations();
        return violations == null ? 0 : violations;
    }

    private static long gaps(Figures run) {
        Long gaps = run.gaps();
        return gaps == null ? 0 : gaps;
    }

    private static long ordered(List<Figures> runs) {
        return runs.stream().filter(run -> run.orderViolations() != null).count();
    }

    private static long gapless(List<Figures> runs) {
        return runs.stream().filter(run -> run.gaps() != null).count();
    }
}
