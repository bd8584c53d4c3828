// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.TimedCalls;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.result.NotOffered;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.cli.terminal.WrappedText;
import dev.seriatim.report.Value;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** Runs comparisons one after another and reports. Not thread-safe. */
public final class Session {

    private final PlanRunner runner;
    private final AtomicBoolean stop;
    private final TextReport report;
    private final PrintWriter err;
    private final String command;
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<Figures> runs = new ArrayList<>();
    private final List<NotOffered> notOffered = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private int planned;
    private int begun;

    /** @param command the command line, without secrets */
    public Session(PlanRunner runner, AtomicBoolean stop, TextReport report, PrintWriter err, String command) {
        this.runner = runner;
        this.stop = stop;
        this.report = report;
        this.err = err;
        this.command = command;
    }

    /** Runs all comparisons, or until stopped, and returns the exit code. */
    public int run(List<PlannedComparison> comparisons) {
        List<PlannedComparison> offered = comparisons.stream()
                .map(this::offered)
                .filter(comparison -> !comparison.plans().isEmpty())
                .toList();
        if (offered.isEmpty()) {
            failures.add("seriatim: " + runner.site().store() + " offers none of these runs: "
                    + notOffered.stream().map(NotOffered::reason).distinct().collect(Collectors.joining("; "))
                    + "; name another --store, --mode or --scenario");
        } else {
            announce(offered);
        }
        report.begin(offered);
        for (PlannedComparison comparison : offered) {
            if (!stop.get()) {
                run(comparison);
            }
        }
        report.end(measurements());
        if (stop.get()) {
            err.println("seriatim: interrupted; the report covers the runs until then");
        }
        failures.forEach(err::println);
        faults.forEach(err::println);
        return !faults.isEmpty() ? ExitCode.WRONG_NUMBERS : failures.isEmpty() ? 0 : 1;
    }

    /** Returns the comparison without the runs that the store does not offer. */
    private PlannedComparison offered(PlannedComparison comparison) {
        List<RunPlan> offered = new ArrayList<>();
        for (RunPlan plan : comparison.plans()) {
            Optional<String> missing = runner.missing(plan);
            if (missing.isEmpty()) {
                offered.add(plan);
            } else {
                report.leftOut(plan, missing.get());
                recordNotOffered(plan, missing.get());
            }
        }
        if (!offered.isEmpty()) {
            recordOtherModes(offered.get(0), comparison);
        }
        return comparison.with(offered);
    }

    /** Records which of the modes that were not requested the store does not offer, so that the report suggests none. */
    private void recordOtherModes(RunPlan plan, PlannedComparison requested) {
        for (Contender mode : Contender.MODES) {
            if (requested.plans().stream().noneMatch(each -> each.mode().equals(mode))) {
                RunPlan other = plan.with(mode);
                runner.missing(other).ifPresent(reason -> recordNotOffered(other, reason));
            }
        }
    }

    private void recordNotOffered(RunPlan plan, String reason) {
        notOffered.add(new NotOffered(
                plan.scenario(),
                plan.setting().experiment(),
                plan.mode().name(),
                plan.title(),
                plan.threads(),
                reason));
    }

    private void announce(List<PlannedComparison> comparisons) {
        RunTime time = RunTime.on(runner.site(), runner.calls().usual());
        double seconds = 0;
        int results = 0;
        int practice = 0;
        for (PlannedComparison comparison : comparisons) {
            int plans = comparison.plans().size();
            results += plans;
            practice += comparison.practice() ? plans : 0;
            planned += plans * comparison.allRounds();
            seconds += comparison.allRounds()
                    * comparison.plans().stream().mapToDouble(time::of).sum();
        }
        say(Value.counted(planned, "run") + " on " + runner.site().store() + ", about "
                + Value.time(Duration.ofSeconds((long) Math.ceil(seconds))));
        if (results < planned) {
            say(Value.counted(results, "result") + " in the report, each the median of its rounds"
                    + (practice > 0 ? "; " + practice + " of the runs are warm-up and do not count" : ""));
        }
        err.flush();
    }

    private void say(String line) {
        WrappedText.lines("seriatim: " + line, 2).forEach(err::println);
    }

    private void run(PlannedComparison comparison) {
        List<RunPlan> order = new ArrayList<>(comparison.plans());
        Map<RunPlan, RunResult> practised = comparison.practice() ? round(order) : Map.of();
        Map<RunPlan, List<RunResult>> results = new HashMap<>();
        for (int round = 0; round < comparison.rounds() && !stop.get(); round++) {
            round(order)
                    .forEach((plan, result) -> results.computeIfAbsent(plan, p -> new ArrayList<>())
                            .add(result));
            Collections.reverse(order);
        }
        // The warm-up round counts if no other round followed.
        practised.forEach((plan, result) -> results.putIfAbsent(plan, List.of(result)));
        for (RunPlan plan : comparison.plans()) {
            List<RunResult> rounds = results.get(plan);
            if (rounds != null) {
                Figures figures =
                        RunResult.figures(rounds, PublishedFigures.of(plan).orElse(null));
                report.run(rounds, figures);
                runs.add(figures);
            }
        }
    }

    /** Runs one round, and returns the result of each plan unless it was stopped before there was one. */
    private Map<RunPlan, RunResult> round(List<RunPlan> order) {
        Map<RunPlan, RunResult> results = new HashMap<>();
        for (RunPlan plan : order) {
            if (!stop.get()) {
                RunResult result = run(plan);
                if (result.measured().completed() > 0 || !stop.get()) {
                    results.put(plan, result);
                }
            }
        }
        return results;
    }

    private RunResult run(RunPlan plan) {
        begun++;
        String title = plan.fullTitle();
        RunResult result = runner.run(plan, (planned > 1 ? begun + " of " + planned + ", " : "") + title);
        Measured measured = result.measured();
        List<String> found = result.check().faults();
        if (!found.isEmpty()) {
            faults.add(
                    "seriatim: " + title + ": " + String.join(", ", found) + "; do not trust this store in this mode");
        }
        if (measured.completed() == 0 && measured.errors() > 0) {
            failures.add("seriatim: " + title + ": every iteration failed: " + result.firstError());
        }
        return result;
    }

    public Measurements measurements() {
        Site site = runner.site();
        TimedCalls calls = runner.calls();
        return new Measurements(
                site.store().toString(),
                site.product(),
                site.settings(),
                millis(calls.usual().reservation()),
                millis(calls.usual().row()),
                calls.hasReads() ? (Double) millis(calls.usual().read()) : null,
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                began.toString(),
                command,
                stop.get(),
                List.copyOf(runs),
                notOffered);
    }

    /** Rounds to nanoseconds. */
    private static double millis(double seconds) {
        return Math.round(seconds * 1e9) / 1e6;
    }
}
