// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.result.BenchDocument;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.run.FiguresOfRuns;
import dev.seriatim.bench.run.PlannedComparison;
import dev.seriatim.bench.run.PublishedFigures;
import dev.seriatim.bench.run.Report;
import dev.seriatim.bench.run.RunPlan;
import dev.seriatim.bench.run.RunResult;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Runs that the store does not offer, with each reason once. Not thread-safe. */
    private static final class OmittedRuns {

        /** Why runs of a scenario were left out. */
        private record Absence(String scenario, String reason) {}

        private final Map<Absence, Map<String, Set<String>>> absences = new LinkedHashMap<>();

        void add(RunPlan plan, String reason) {
            absences.computeIfAbsent(new Absence(plan.setting().scenario(), reason), absence -> new LinkedHashMap<>())
                    .computeIfAbsent(plan.setting().experiment(), experiment -> new LinkedHashSet<>())
                    .add(plan.title());
        }

        /** Returns lines for a terminal: each reason with its experiments and modes. */
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            absences.forEach((absence, experiments) -> {
                Map<Set<String>, List<String>> places = experiments.keySet().stream()
                        .collect(Collectors.groupingBy(
                                key -> experiments.getOrDefault(key, Set.of()),
                                LinkedHashMap::new,
                                Collectors.toList()));
                places.forEach((titles, where) -> {
                    String place = Stream.concat(Stream.of(absence.scenario()), where.stream())
                            .filter(name -> !name.isEmpty())
                            .collect(Collectors.joining(", "));
                    lines.addAll(WrappedText.lines(
                            (place.isEmpty() ? "" : place + ": ") + String.join("; ", titles)
                                    + ": not offered by this store: " + absence.reason(),
                            2));
                });
                lines.add("");
            });
            return lines;
        }
    }

    /** Prints a single run in the format of the tool behind the published Spanner figures. */
    private static final class RunInFull {

        private static final List<Integer> PERCENTILES = List.of(50, 75, 90, 99);

        private RunInFull() {}

        static void print(RunResult result, Figures figures, PrintWriter out) {
            Measured measured = result.measured();
            out.println(result.plan().title());
            out.println(String.format(
                    Locale.ROOT,
                    "%d iterations (%d parallel threads) in %d milliseconds: %s values/s",
                    measured.completed() + measured.errors(),
                    result.plan().threads(),
                    TimeUnit.NANOSECONDS.toMillis(measured.nanos()),
                    plain(result.valuesPerSecond())));
            for (int percent : PERCENTILES) {
                out.println("Latency: " + percent + "%ile " + plain(result.percentileMillis(percent)) + " ms");
            }
            out.println("Latency: longest " + plain(result.maxMillis()) + " ms");
            Optional.ofNullable(figures.limitPerSecond())
                    .ifPresent(limit -> out.println("Limit: " + plain(limit) + " values/s, of which "
                            + TableNumber.ratio(figures.limitRatio()) + " was reached"));
            Optional.ofNullable(figures.reservedPerUsed())
                    .ifPresent(ratio -> out.println("Reserved: " + TableNumber.ratio(ratio) + " for each value used"));
        }

        /** Formats without commas, for programs that read that format. */
        private static String plain(double number) {
            return TableNumber.of(number).replace(",", "");
        }
    }
}
