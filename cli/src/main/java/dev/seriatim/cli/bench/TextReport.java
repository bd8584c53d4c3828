// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Says what came out of runs, for people. Not thread-safe. */
final class TextReport implements Report {

    private static final List<Integer> PERCENTILES = List.of(50, 75, 90, 99);

    private final PrintWriter out;
    private final List<RunResult> results = new ArrayList<>();

    TextReport(PrintWriter out) {
        this.out = out;
    }

    /** In the shape of the tool that the figures were published with. */
    @Override
    public void run(RunResult result) {
        results.add(result);
        Measured measured = result.measured();
        out.println(result.plan().title());
        out.println(String.format(
                Locale.ROOT,
                "%d iterations (%d parallel threads) in %d milliseconds: %f values/s",
                measured.completed() + measured.errors(),
                result.plan().threads(),
                TimeUnit.NANOSECONDS.toMillis(measured.nanos()),
                result.valuesPerSecond()));
        for (int percent : PERCENTILES) {
            out.println("Latency: " + percent + "%ile " + millis(result, percent) + " ms");
        }
        if (measured.errors() > 0) {
            String first =
                    measured.failure().map(RuntimeException::getMessage).orElse("arrivals that no thread was free for");
            out.println("Errors: " + measured.errors() + ", the first: " + first);
        }
        out.println();
        out.flush();
    }

    @Override
    public void leftOut(RunPlan plan, String reason) {
        out.println(plan.fullTitle() + ": not offered by this store: " + reason);
        out.println();
        out.flush();
    }

    /** All runs side by side. */
    @Override
    public void end(Laboratory laboratory, boolean interrupted) {
        if (!results.isEmpty()) {
            SummaryTable.of(results, PublishedFigures.load()).print(out);
        }
        out.flush();
    }

    /** Whole milliseconds, as published; the latencies of arrivals are far below one. */
    private static String millis(RunResult result, int percent) {
        double millis = result.percentileMillis(percent);
        return result.plan().workload() instanceof OpenLoop
                ? String.format(Locale.ROOT, "%.3f", millis)
                : Long.toString(Math.round(millis));
    }
}
