// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.result.BenchDocument;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Prints a line per run, and the recommendations at the end. Not thread-safe. */
public final class TextReport {

    private final PrintWriter out;

    /** The runs that the store does not offer, by scenario and reason. */
    private final Map<List<String>, Set<String>> leftOut = new LinkedHashMap<>();

    private Map<String, List<PlannedComparison>> experiments = Map.of();
    private boolean single;
    private String heading = "";
    private Optional<RunTable> table = Optional.empty();

    public TextReport(PrintWriter out) {
        this.out = out;
    }

    /** Called for each run that the store does not offer, before {@link #begin}. */
    void leftOut(RunPlan plan, String reason) {
        leftOut.computeIfAbsent(List.of(plan.setting().scenario(), reason), key -> new LinkedHashSet<>())
                .add(plan.title());
    }

    void begin(List<PlannedComparison> comparisons) {
        leftOut.forEach((key, titles) -> {
            String scenario = key.get(0).isEmpty() ? "" : key.get(0) + ": ";
            wrapped(scenario + String.join("; ", titles) + ": not offered by this store: " + key.get(1), 2);
            out.println();
        });
        experiments = comparisons.stream()
                .collect(Collectors.groupingBy(
                        comparison -> heading(comparison.plans().get(0)), LinkedHashMap::new, Collectors.toList()));
        single = comparisons.size() == 1
                && experiments.containsKey("")
                && comparisons.get(0).plans().size() * comparisons.get(0).allRounds() == 1;
        out.flush();
    }

    void run(List<RunResult> rounds, Figures figures) {
        RunResult median = RunResult.median(rounds);
        if (single) {
            printInFull(figures);
        } else {
            out.println(tableOf(median.plan()).line(figures));
        }
        if (figures.errors() > 0) {
            wrapped("  Errors: " + figures.errors() + ", the first: " + median.firstError(), 4);
        }
        List<String> faults = rounds.stream()
                .flatMap(round -> round.check().faults().stream())
                .toList();
        if (!faults.isEmpty()) {
            wrapped("  Failed: " + String.join(", ", faults), 4);
        }
        out.flush();
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
            RunTable begun = new RunTable(experiments.getOrDefault(its, List.of()));
            out.println(begun.headings());
            table = Optional.of(begun);
            heading = its;
        }
        return table.get();
    }

    /** Prints a single run in the format of the tool behind the published Spanner figures. */
    private void printInFull(Figures run) {
        out.println(run.label());
        out.println(run.iterations() + " iterations (" + run.threads() + " parallel threads) in " + (long) run.totalMs()
                + " milliseconds: " + plain(run.valuesPerSecond()) + " values/s");
        out.println("Latency: 50%ile " + plain(run.p50Ms()) + " ms");
        out.println("Latency: 75%ile " + plain(run.p75Ms()) + " ms");
        out.println("Latency: 90%ile " + plain(run.p90Ms()) + " ms");
        out.println("Latency: 99%ile " + plain(run.p99Ms()) + " ms");
        out.println("Latency: longest " + plain(run.maxMs()) + " ms");
        if (run.limitPerSecond() != null) {
            out.println("Limit: " + plain(run.limitPerSecond()) + " values/s, of which "
                    + RunTable.ratio(run.limitRatio()) + " was reached");
        }
        if (run.reservedPerUsed() != null) {
            out.println("Reserved: " + RunTable.ratio(run.reservedPerUsed()) + " for each value used");
        }
    }

    /** Formats without commas, for programs that read that format. */
    private static String plain(double number) {
        return RunTable.number(number).replace(",", "");
    }

    void end(Measurements measurements) {
        if (!measurements.runs().isEmpty()) {
            out.println();
        }
        BenchDocument.summary(measurements, table.isPresent()).print(out);
    }

    private void wrapped(String text, int indent) {
        WrappedText.lines(text, indent).forEach(out::println);
    }

    /** Returns the scenario and the experiment; empty outside a scenario. */
    private static String heading(RunPlan plan) {
        Setting setting = plan.setting();
        boolean both = !setting.scenario().isEmpty() && !setting.experiment().isEmpty();
        return setting.scenario() + (both ? ": " : "") + setting.experiment();
    }
}
