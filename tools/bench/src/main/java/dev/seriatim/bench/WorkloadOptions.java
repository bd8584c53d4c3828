// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.run.Baseline;
import dev.seriatim.bench.run.Contender;
import dev.seriatim.bench.run.ContenderName;
import dev.seriatim.bench.run.ModeContender;
import dev.seriatim.bench.run.Overrides;
import dev.seriatim.bench.run.PlannedComparison;
import dev.seriatim.bench.run.RunPlan;
import dev.seriatim.bench.run.Scenario;
import dev.seriatim.bench.run.Setting;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.option.LengthOfTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that choose the runs. Set by picocli. Not thread-safe. */
final class WorkloadOptions {

    private static final List<Contender> MODES = List.copyOf(ModeContender.all());

    private static final List<Contender> MODES_AT_A_RATE = Stream.concat(
                    MODES.stream().filter(Contender::dealsFromMemory), Stream.of(Baseline.ATOMIC_LONG))
            .toList();
    private static final List<Integer> THREADS = List.of(10, 50);
    private static final List<Integer> THREADS_AT_A_RATE = List.of(8);
    private static final Duration APP_LATENCY = Duration.ofMillis(10);
    private static final Duration DURATION = Duration.ofSeconds(10);
    private static final double SECONDS_OF_WARM_UP = 2;
    private static final int MOST_THREADS = 10_000;
    private static final long MOST_ITERATIONS = 20_000_000;
    private static final long MOST_ROUNDS = 1000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec command;

    @Option(
            names = "--mode",
            split = ",",
            converter = ContenderName.class,
            completionCandidates = ModeNames.All.class,
            paramLabel = "MODE",
            description = {"""
                    The modes to measure: ${COMPLETION-CANDIDATES}. Default: all; with --rate, those that deal from \
                    memory.""", """
                    Baselines: ATOMIC_LONG, a counter in memory; EMULATED, a row in plain SQL; AUTO_INCREMENT; \
                    NATIVE, a sequence of the database with --batch-size as its cache; UUID, made by the \
                    server; UUID_V4 and UUID_V7, made in this process; STRIPED, ASYNC over 4 counters.""", "With --scenario: the modes of the scenario to measure."})
    private @Nullable List<Contender> modes;

    @Option(
            names = "--scenario",
            split = ",",
            converter = Scenarios.Reader.class,
            paramLabel = "NAME",
            description = {
                "Rerun the experiments of a published system, and show its figures beside the measured ones:",
                """
                    spanner: modes x threads around a transaction; dsql: one value per reservation, a cache of 65536, \
                    and UUIDs; mariadb: rows with numbers against AUTO_INCREMENT; couchbase: single increments \
                    by one process and by two; or all."""
            })
    private @Nullable List<Scenarios> scenarios;

    @Option(
            names = "--baselines",
            description =
                    "Also measure the database's own sequence, and UUIDs of versions 4 and 7 made in this process.")
    private boolean baselines;

    @Option(names = "--peers", hidden = true, description = "An older name of --baselines.")
    @SuppressWarnings("unused") // called by picocli
    private void peers(boolean typed) {
        baselines = typed;
    }

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = {"""
                    Rounds in which the modes take turns, so that changes on the machine affect all alike. The report has \
                    the median round of each run.""", "Default: 1; with --scenario, its own."})
    private @Nullable Integer rounds;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description = "Concurrent clients. Default: 10,50; with --rate, 8; with --scenario, its own.")
    private @Nullable List<Integer> threads;

    @Option(names = "--iterations", paramLabel = "N", description = "Iterations to measure per run. Default: 2000.")
    private @Nullable Long iterations;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Iterations before those measured. Default: as many as the mode needs to settle.")
    private @Nullable Long warmUp;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "200",
            completionCandidates = ModeNames.WithBatchSize.class,
            description = "Values per block, for ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private long batchSize;

    @Option(
            names = "--low-water-mark",
            paramLabel = "N",
            defaultValue = "50",
            completionCandidates = ModeNames.WithLowWaterMark.class,
            description =
                    "Values left when the next block is fetched, for ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private long lowWaterMark;

    @Option(
            names = "--app-latency",
            converter = LengthOfTime.class,
            paramLabel = "TIME",
            description = "Duration of the simulated transaction around each number. Default: 10ms; with --rate, 0ms.")
    private @Nullable Duration appLatency;

    @Option(names = "--insert-rows", description = """
                    Insert each number into a temporary table, as a row's primary key: in the transaction that drew \
                    it, or in one after the draw.""")
    private boolean insertRows;

    @Option(
            names = "--rate",
            converter = ArrivalRate.class,
            paramLabel = "N/s",
            description = {
                "Start iterations at this rate, such as 4000/s, whether or not earlier ones have ended.",
                "Latency is then measured from the intended start."
            })
    private @Nullable Double rate;

    @Option(names = "--burst", paramLabel = "N", description = "With --rate: arrivals at once. Default: 1.")
    private @Nullable Integer burst;

    @Option(names = "--duration", converter = LengthOfTime.class, paramLabel = "TIME", description = """
                    Duration of each run with --rate, and in the scenarios mariadb and couchbase. \
                    Default: 10s, 1s and 3s.""")
    private @Nullable Duration duration;

    /** Rejects options that contradict each other; called first. */
    void check() {
        checkNumbers();
        if (scenarios != null) {
            checkScenario();
        } else if (rate == null) {
            refuse(burst != null, "--burst requires --rate; add --rate, or leave --burst out");
            refuse(duration != null, "--duration requires --rate or --scenario; add one, or use --iterations");
        } else {
            checkRate(rate);
        }
    }

    /** Returns the requested comparisons, by mode or by scenario. */
    List<PlannedComparison> comparisons() {
        if (scenarios == null) {
            return rounds == null ? inOrder() : inTurns(rounds);
        }
        Overrides overrides = overrides();
        return scenarios.stream()
                .flatMap(word -> word.named().stream())
                .distinct()
                .flatMap(scenario -> scenario.comparisons(overrides).stream())
                .map(this::chosen)
                .filter(comparison -> !comparison.plans().isEmpty())
                .toList();
    }

    private List<PlannedComparison> inOrder() {
        return modes().stream()
                .flatMap(mode -> clientCounts().stream().map(clients -> PlannedComparison.alone(plan(mode, clients))))
                .toList();
    }

    private List<PlannedComparison> inTurns(int rounds) {
        return clientCounts().stream()
                .map(clients -> new PlannedComparison(
                        modes().stream().map(mode -> plan(mode, clients)).toList(), rounds, false))
                .toList();
    }

    /** Returns the maximum number of concurrent clients. */
    int mostClients() {
        return comparisons().stream()
                .flatMap(comparison -> comparison.plans().stream())
                .mapToInt(RunPlan::threads)
                .max()
                .orElse(1);
    }

    /** Returns whether {@code --insert-rows} is given. */
    boolean insertRows() {
        return insertRows;
    }

    private PlannedComparison chosen(PlannedComparison comparison) {
        List<Contender> wanted = modes;
        return wanted == null
                ? comparison
                : comparison.with(comparison.plans().stream()
                        .filter(plan -> wanted.contains(plan.mode()))
                        .toList());
    }

    private Overrides overrides() {
        return new Overrides(
                Optional.ofNullable(threads),
                iterations == null ? OptionalLong.empty() : OptionalLong.of(iterations),
                Optional.ofNullable(duration),
                rounds == null ? OptionalInt.empty() : OptionalInt.of(rounds),
                Optional.ofNullable(appLatency),
                batchSize,
                lowWaterMark,
                baselines);
    }

    private List<Integer> clientCounts() {
        return threads != null ? threads : rate != null ? THREADS_AT_A_RATE : THREADS;
    }

    private List<Contender> modes() {
        List<Contender> asked = modes != null ? modes : rate != null ? MODES_AT_A_RATE : MODES;
        return baselines
                ? Stream.concat(asked.stream(), Scenario.BASELINES.stream())
                        .distinct()
                        .toList()
                : asked;
    }

    private RunPlan plan(Contender mode, int clients) {
        Duration work = appLatency != null ? appLatency : rate != null ? Duration.ZERO : APP_LATENCY;
        RunPlan plan = new RunPlan(mode, clients, batchSize, lowWaterMark, work, workload(mode, clients));
        return insertRows ? plan.with(Setting.PLAIN.with(Setting.Use.rows(1))) : plan;
    }

    private Workload workload(Contender mode, int clients) {
        if (rate == null) {
            long measured = iterations();
            return new ClosedLoop(
                    measured, warmUp != null ? warmUp : ClosedLoop.warmUpOf(mode.settlesSizes(), clients, measured));
        }
        long before = warmUp != null ? warmUp : Math.round(rate * SECONDS_OF_WARM_UP);
        return new OpenLoop(rate, burst != null ? burst : 1, duration != null ? duration : DURATION, before);
    }

    private long iterations() {
        return iterations != null ? iterations : 2000;
    }

    private void checkNumbers() {
        for (int clients : threads != null ? threads : THREADS) {
            within("--threads", clients, 1, MOST_THREADS);
        }
        within("--iterations", iterations(), 1, MOST_ITERATIONS);
        within("--warmup", warmUp != null ? warmUp : 0, 0, MOST_ITERATIONS);
        within("--batch-size", batchSize, 1, Integer.MAX_VALUE);
        within("--burst", burst != null ? burst : 1, 1, MOST_ITERATIONS);
        within("--rounds", rounds != null ? rounds : 1, 1, MOST_ROUNDS);
        refuse(duration != null && duration.isZero(), "--duration must be above 0");
        if (modes().stream().anyMatch(Contender::hasLowWaterMark)) {
            within("--low-water-mark", lowWaterMark, 1, batchSize);
        }
    }

    private void checkScenario() {
        refuse(rate != null, "--rate and --scenario exclude each other; leave one of them out");
        refuse(burst != null, "--burst requires --rate, which --scenario excludes; leave --burst out");
        refuse(
                insertRows,
                "--insert-rows and --scenario exclude each other: the scenario decides which numbers become rows; leave one"
                        + " of them out");
        refuse(
                warmUp != null,
                "--warmup and --scenario exclude each other: the scenario has its own warm-up; leave --warmup out");
        refuse(
                comparisons().isEmpty(),
                "none of the named scenarios includes a mode from --mode; name others, or leave --mode out");
    }

    private void checkRate(double perSecond) {
        refuse(iterations != null, "--iterations and --rate exclude each other; use --duration instead");
        double seconds = (duration != null ? duration : DURATION).toNanos() / 1e9;
        refuse(perSecond * seconds > MOST_ITERATIONS, "--rate × --duration must be at most " + MOST_ITERATIONS);
    }

    private void within(String option, long value, long least, long most) {
        refuse(value < least || value > most, option + " must be from " + least + " to " + most + ", not " + value);
    }

    private void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new ParameterException(command.commandLine(), what);
        }
    }

    /** Parses arrivals per second, such as {@code 4000/s}. */
    private static final class ArrivalRate implements ITypeConverter<Double> {

        private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(?:/s)?");

        @Override
        public Double convert(String text) {
            Matcher parts = RATE.matcher(text);
            if (parts.matches()) {
                double perSecond = Double.parseDouble(parts.group(1));
                if (perSecond > 0) {
                    return perSecond;
                }
            }
            throw new TypeConversionException("'" + text + "' is not a rate above 0; write it as 4000/s");
        }
    }

    /**
     * A value of {@code --scenario}. Immutable.
     *
     * @param named one scenario, or all
     */
    private record Scenarios(List<Scenario> named) {

        /** Parses the name of a scenario, in any case, or {@code all}. */
        static final class Reader implements ITypeConverter<Scenarios> {

            @Override
            public Scenarios convert(String text) {
                String name = text.strip();
                List<Scenario> named = Arrays.stream(Scenario.values())
                        .filter(scenario ->
                                name.equalsIgnoreCase("all") || scenario.title().equalsIgnoreCase(name))
                        .toList();
                if (named.isEmpty()) {
                    throw new TypeConversionException("'" + text + "' is not one of "
                            + Arrays.stream(Scenario.values())
                                    .map(Scenario::title)
                                    .collect(Collectors.joining(", "))
                            + ", all");
                }
                return new Scenarios(named);
            }
        }
    }
}
