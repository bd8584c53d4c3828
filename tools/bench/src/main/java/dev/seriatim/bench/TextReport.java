// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.contender.RunPlan;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.result.BenchDocument;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.scenario.PlannedComparison;
import dev.seriatim.bench.scenario.PublishedFigures;
import dev.seriatim.bench.session.FiguresOfRuns;
import dev.seriatim.bench.session.Report;
import dev.seriatim.bench.session.RunResult;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints a line per run, and the recommendations at the end. Not thread-safe. */
public final class TextReport implements Report {

    private final PrintWriter out;
    private final PublishedFigures published = PublishedFigures.load();
    private final OmittedRuns leftOut = new OmittedRuns();
    private Map<String, List<PlannedComparison>> experiments = Map.of();
    private String heading = "";
    private Optional<RunTable> table = Optional.empty();

    public TextReport(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void leftOut(RunPlan plan, String reason) {
        leftOut.add(plan, reason);
    }

    @Override
    public void begin(List<PlannedComparison> comparisons) {
        leftOut.lines().forEach(out::println);
        experiments = comparisons.stream()
                .filter(comparison -> !comparison.plans().isEmpty())
                .collect(Collectors.groupingBy(
                        comparison -> heading(comparison.plans().get(0)), LinkedHashMap::new, Collectors.toList()));
        out.flush();
    }

    @Override
    public void run(List<RunResult> rounds, Figures figures) {
        RunResult median = FiguresOfRuns.median(rounds);
        if (isTheOnlyOne(median.plan())) {
            RunInFull.print(median, figures, out);
        } else {
            out.println(tableOf(median.plan()).line(figures));
        }
        errors(median);
        List<String> faults = rounds.stream()
                .flatMap(round -> round.check().faults().stream())
                .toList();
        if (!faults.isEmpty()) {
            wrapped("  Failed: " + String.join(", ", faults), 4);
        }
        out.flush();
    }

    private boolean isTheOnlyOne(RunPlan plan) {
        long runs = experiments.values().stream()
                .flatMap(List::stream)
                .mapToLong(comparison -> (long) comparison.plans().size() * comparison.allRounds())
                .sum();
        return runs == 1 && heading(plan).isEmpty();
    }

    /** Starts a new table for each experiment. */
    private RunTable tableOf(RunPlan plan) {
        String its = heading(plan);
        if (table.isEmpty() || !its.equals(heading)) {
            if (table.isPresent()) {
                out.println();
            }
            if (!its.isEmpty()) {
                out.println(its);
            }
            RunTable begun =
                    new RunTable(experiments.getOrDefault(its, List.of(PlannedComparison.alone(plan))), published);
            out.println(begun.headings());
            table = Optional.of(begun);
            heading = its;
        }
        return table.get();
    }

    private void errors(RunResult result) {
        Measured measured = result.measured();
        if (measured.errors() > 0) {
            String first =
                    measured.failure().map(RuntimeException::getMessage).orElse("no thread was free for an arrival");
            wrapped("  Errors: " + measured.errors() + ", the first: " + first, 4);
        }
    }

    @Override
    public void end(Measurements measurements) {
        if (!measurements.runs().isEmpty()) {
            out.println();
        }
        BenchDocument.summary(measurements, table.isPresent()).print(out);
    }

    private void wrapped(String text, int indent) {
        WrappedText.lines(text, indent).forEach(out::println);
    }

    private static boolean isPlain(String scenario) {
        return scenario.equals("modes") || scenario.equals("open-loop");
    }

    private static String heading(RunPlan plan) {
        String experiment = plan.setting().experiment();
        return isPlain(plan.scenario()) ? "" : plan.scenario() + (experiment.isEmpty() ? "" : ": " + experiment);
    }
}
