// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.cli.report.Figures;
import dev.seriatim.cli.report.Measurements;
import dev.seriatim.cli.report.SummaryInWords;
import java.io.PrintWriter;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what comes out of runs, for people. Not thread-safe. */
final class TextReport implements Report {

    private static final List<Integer> PERCENTILES = List.of(50, 75, 90, 99);

    private final PrintWriter out;
    private final Map<Absence, Map<String, Set<String>>> leftOut = new LinkedHashMap<>();

    TextReport(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void run(List<RunResult> rounds) {
        sayWhatIsLeftOut();
        RunResult median = FiguresOfRuns.median(rounds);
        if (rounds.size() == 1 && median.plan().setting().experiment().isEmpty()) {
            inFull(median);
        } else {
            out.println(String.format(
                    Locale.ROOT,
                    "%s: %.1f values/s%s",
                    median.plan().fullTitle(),
                    median.valuesPerSecond(),
                    spread(rounds)));
            errors(median);
        }
        out.flush();
    }

    /** In the shape of the tool that the figures of Spanner were published with. */
    private void inFull(RunResult result) {
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
        errors(result);
        out.println();
    }

    private static String spread(List<RunResult> rounds) {
        DoubleSummaryStatistics all =
                rounds.stream().mapToDouble(RunResult::valuesPerSecond).summaryStatistics();
        return rounds.size() == 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", the median of %d rounds from %.1f to %.1f",
                        rounds.size(),
                        all.getMin(),
                        all.getMax());
    }

    private void errors(RunResult result) {
        Measured measured = result.measured();
        if (measured.errors() > 0) {
            String first =
                    measured.failure().map(RuntimeException::getMessage).orElse("arrivals that no thread was free for");
            out.println("Errors: " + measured.errors() + ", the first: " + first);
        }
    }

    @Override
    public void leftOut(RunPlan plan, String reason) {
        leftOut.computeIfAbsent(new Absence(plan.setting().scenario(), reason), absence -> new LinkedHashMap<>())
                .computeIfAbsent(plan.setting().experiment(), experiment -> new LinkedHashSet<>())
                .add(plan.title());
    }

    /** Why something of a scenario was left out. */
    private record Absence(String scenario, String reason) {}

    /** Each reason once, with the experiments in which it holds for the same modes. */
    private void sayWhatIsLeftOut() {
        leftOut.forEach((absence, experiments) -> {
            Map<Set<String>, List<String>> places = experiments.keySet().stream()
                    .collect(Collectors.groupingBy(
                            key -> experiments.getOrDefault(key, Set.of()), LinkedHashMap::new, Collectors.toList()));
            places.forEach((titles, where) -> {
                String place = Stream.concat(Stream.of(absence.scenario()), where.stream())
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.joining(", "));
                out.println((place.isEmpty() ? "" : place + ": ") + String.join("; ", titles)
                        + ": not offered by this store: " + absence.reason());
            });
            out.println();
        });
        leftOut.clear();
    }

    /** All runs side by side, a table for each experiment. */
    @Override
    public void end(Measurements measurements) {
        sayWhatIsLeftOut();
        Map<String, List<Figures>> experiments = measurements.runs().stream()
                .collect(Collectors.groupingBy(TextReport::heading, LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<String, List<Figures>> experiment : experiments.entrySet()) {
            if (!experiment.getKey().isEmpty()) {
                out.println();
                out.println(experiment.getKey());
            }
            SummaryTable.of(experiment.getValue()).print(out);
        }
        if (experiments.keySet().stream().anyMatch(heading -> !heading.isEmpty())) {
            out.println();
            SummaryInWords.of(measurements).forEach(out::println);
        }
        out.flush();
    }

    private static String heading(Figures run) {
        boolean plain = run.scenario().equals("modes") || run.scenario().equals("open-loop");
        return plain ? "" : run.scenario() + (run.experiment().isEmpty() ? "" : ": " + run.experiment());
    }

    /** Whole milliseconds, as published; the latencies of arrivals are far below one. */
    private static String millis(RunResult result, int percent) {
        double millis = result.percentileMillis(percent);
        return result.plan().workload() instanceof OpenLoop
                ? String.format(Locale.ROOT, "%.3f", millis)
                : Long.toString(Math.round(millis));
    }
}
