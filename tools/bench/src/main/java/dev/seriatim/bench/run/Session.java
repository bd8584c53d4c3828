// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.result.NotOffered;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs comparisons one after another and reports. Not thread-safe. */
public final class Session {

    /** Exit code when a check of the numbers failed. */
    static final int WRONG_NUMBERS = 3;

    private static final int DONE = 0;
    private static final int FAILED = 1;

    private final PlanRunner runner;
    private final StopSignal stop;
    private final Report report;
    private final PrintWriter err;
    private final String command;
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final FiguresOfRuns figures = new FiguresOfRuns(PublishedFigures.load());
    private final List<Figures> runs = new ArrayList<>();
    private final List<NotOffered> notOffered = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private int of;
    private int begun;

    /**
     * Creates a session.
     *
     * @param command the command line, without secrets
     */
    public Session(PlanRunner runner, StopSignal stop, Report report, PrintWriter err, String command) {
        this.runner = runner;
        this.stop = stop;
        this.report = report;
        this.err = err;
        this.command = command;
    }

    /** Runs all comparisons, or until stopped, and returns the exit code. */
    public int run(List<PlannedComparison> comparisons) {
        List<PlannedComparison> offered =
                comparisons.stream().map(this::offered).toList();
        boolean empty =
                offered.stream().allMatch(comparison -> comparison.plans().isEmpty());
        if (empty) {
            report.begin(offered);
            failures.add("seriatim: " + runner.site().store() + " offers none of these runs: " + reasons()
                    + "; name another --store, --mode or --scenario");
        } else {
            announce(offered);
        }
        for (PlannedComparison comparison : offered) {
            if (!stop.isSet()) {
                run(comparison);
            }
        }
        report.end(measurements());
        if (stop.isSet()) {
            err.println("seriatim: interrupted; the report covers the runs until then");
        }
        failures.forEach(err::println);
        faults.forEach(err::println);
        return !faults.isEmpty() ? WRONG_NUMBERS : !failures.isEmpty() ? FAILED : DONE;
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
        offered.stream().findFirst().ifPresent(plan -> recordOtherModes(plan, comparison));
        return comparison.with(offered);
    }

    /** Records which of the modes that were not requested the store does not offer, so that the report suggests none. */
    private void recordOtherModes(RunPlan plan, PlannedComparison requested) {
        for (ModeContender mode : ModeContender.all()) {
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

    private String reasons() {
        return notOffered.stream().map(NotOffered::reason).distinct().collect(Collectors.joining("; "));
    }

    private void announce(List<PlannedComparison> comparisons) {
        RunTime time = runner.runTime(comparisons.stream()
                .flatMap(comparison -> comparison.plans().stream())
                .toList());
        double seconds = 0;
        int results = 0;
        int practice = 0;
        for (PlannedComparison comparison : comparisons) {
            int plans = comparison.plans().size();
            results += plans;
            practice += comparison.practice() ? plans : 0;
            of += plans * comparison.allRounds();
            seconds += comparison.allRounds()
                    * comparison.plans().stream().mapToDouble(time::of).sum();
        }
        say("seriatim: " + counted(of, "run") + " on " + runner.site().store() + ", about " + Estimate.words(seconds));
        if (results < of) {
            say("seriatim: " + counted(results, "result") + " in the report, each the median of its rounds"
                    + (practice > 0 ? "; " + practice + " of the runs are warm-up and do not count" : ""));
        }
        err.flush();
        report.begin(comparisons);
    }

    private void say(String line) {
        WrappedText.lines(line, 2).forEach(err::println);
    }

    private static String counted(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    private void run(PlannedComparison comparison) {
        List<RunPlan> order = new ArrayList<>(comparison.plans());
        Map<RunPlan, RunResult> practised = comparison.practice() ? round(order) : Map.of();
        Map<RunPlan, List<RunResult>> results = new HashMap<>();
        for (int round = 0; round < comparison.rounds() && !stop.isSet(); round++) {
            round(order)
                    .forEach((plan, result) -> results.computeIfAbsent(plan, p -> new ArrayList<>())
                            .add(result));
            Collections.reverse(order);
        }
        for (RunPlan plan : comparison.plans()) {
            List<RunResult> rounds = results.getOrDefault(plan, onlyPractised(practised.get(plan)));
            if (!rounds.isEmpty()) {
                Figures made = figures.of(rounds);
                report.run(rounds, made);
                runs.add(made);
            }
        }
    }

    /** The warm-up round counts if no other round followed. */
    private static List<RunResult> onlyPractised(@Nullable RunResult result) {
        return result == null ? List.of() : List.of(result);
    }

    /** Runs one round, and returns the result of each plan unless it was stopped before there was one. */
    private Map<RunPlan, RunResult> round(List<RunPlan> order) {
        Map<RunPlan, RunResult> results = new HashMap<>();
        for (RunPlan plan : order) {
            if (!stop.isSet()) {
                RunResult result = run(plan);
                if (result.measured().completed() > 0 || !stop.isSet()) {
                    results.put(plan, result);
                }
            }
        }
        return results;
    }

    private RunResult run(RunPlan plan) {
        begun++;
        RunResult result = runner.run(plan, (of > 1 ? begun + " of " + of + ", " : "") + plan.fullTitle());
        Measured measured = result.measured();
        List<String> found = result.check().faults();
        if (!found.isEmpty()) {
            faults.add("seriatim: " + plan.fullTitle() + ": " + String.join(", ", found)
                    + "; do not trust this store in this mode");
        }
        if (measured.completed() == 0 && measured.errors() > 0) {
            failures.add("seriatim: " + plan.fullTitle() + ": every iteration failed: "
                    + measured.failure().map(RuntimeException::getMessage).orElse("no arrival was served in time"));
        }
        return result;
    }

    private Measurements measurements() {
        Site site = runner.site();
        return new Measurements(
                site.store().toString(),
                site.product(),
                site.settings(),
                millis(runner.calls().usual().reservation()),
                millis(runner.calls().usual().row()),
                runner.calls().hasReads()
                        ? (Double) millis(runner.calls().usual().read())
                        : null,
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                began.toString(),
                command,
                stop.isSet(),
                runs,
                notOffered);
    }

    /** Rounds to nanoseconds. */
    private static double millis(double seconds) {
        return Math.round(seconds * 1e9) / 1e6;
    }

    /** Formats an estimated duration. */
    private static final class Estimate {

        private static final long MINUTE = 60;
        private static final long HOUR = 60 * MINUTE;

        private Estimate() {}

        static String words(double seconds) {
            long whole = (long) Math.ceil(seconds);
            if (whole <= 1) {
                return "a second";
            }
            if (whole < 2 * MINUTE) {
                return whole + " seconds";
            }
            return whole < 2 * HOUR ? Math.round(seconds / MINUTE) + " minutes" : Math.round(seconds / HOUR) + " hours";
        }
    }
}
