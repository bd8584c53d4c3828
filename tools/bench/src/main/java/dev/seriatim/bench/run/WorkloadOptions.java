// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.OpenLoop;
import dev.seriatim.bench.load.PerSecond;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.option.LengthOfTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that choose the runs. Set by picocli. Not thread-safe. */
public final class WorkloadOptions {

    private static final List<Contender> MODES_AT_A_RATE = Stream.concat(
                    Contender.MODES.stream().filter(Contender::dealsFromMemory), Stream.of(Contender.ATOMIC_LONG))
            .toList();
    private static final Duration DURATION = Duration.ofSeconds(10);
    private static final double SECONDS_OF_WARM_UP = 2;
    private static final long MOST_ITERATIONS = 20_000_000;
    private static final int CLIENTS_OF_FEEDS = 32;
    private static final int ROUNDS_OF_FEEDS = 5;
    private static final Duration DURATION_OF_FEEDS = Duration.ofSeconds(3);
    private static final Duration LONGEST_OF_FEEDS = Duration.ofMinutes(1);
    private static final int BACKLOG = 200_000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec command;

    @Option(
            names = "--mode",
            split = ",",
            converter = Contender.Named.class,
            completionCandidates = ModeNames.All.class,
            paramLabel = "MODE",
            description = """
                    The modes to measure: ${COMPLETION-CANDIDATES}. Default: all; with --rate, those that deal from \
                    memory.
                    Baselines: ATOMIC_LONG, a counter in memory; EMULATED, a row in plain SQL; AUTO_INCREMENT; \
                    NATIVE, a sequence of the database with --batch-size as its cache; UUID, made by the \
                    server; UUID_V4 and UUID_V7, made in this process; STRIPED, ASYNC over 4 counters; LAST and \
                    AT_COMMIT, SYNC drawn last, by the program or by PostgreSQL's trigger.
                    With --scenario: the modes of the scenario to measure.""")
    private @Nullable List<Contender> modes;

    @Option(names = "--scenario", split = ",", paramLabel = "NAME", description = """
                    Rerun the experiments of a published system, and show its figures beside the measured ones:
                    spanner: modes x threads around a transaction; dsql: one value per reservation, a cache of 65536, \
                    and UUIDs; mariadb: rows with numbers against AUTO_INCREMENT; couchbase: single increments \
                    by one process and by two; or all of these.
                    feeds: what a poller loses and reads, by a feed and by other ways to number rows.""")
    private @Nullable List<Scenario> scenarios;

    @Option(names = "--baselines", description = """
                    Also measure NATIVE, UUID_V4 and UUID_V7; with --scenario spanner, rows with keys of the database.""")
    private boolean baselines;

    @Option(names = "--rounds", paramLabel = "N", description = """
                    Rounds in which the modes take turns, so that changes on the machine affect all alike. The report has \
                    the median round of each run.
                    Default: 1; with --scenario, its own.""")
    private @Nullable Integer rounds;

    @Option(names = "--threads", split = ",", paramLabel = "N", description = """
                    Concurrent clients. Default: 10,50; with --rate, 8; with --scenario, its own.""")
    private @Nullable List<Integer> threads;

    @Option(names = "--processes", paramLabel = "N", description = """
                    Processes that draw from the same sequence, each with --threads and --iterations, and its share of \
                    --rate. Default: 1.""")
    private int processes = 1;

    @Option(names = "--iterations", paramLabel = "N", description = """
                    Iterations to measure per run. Default: 2000. With --scenario feeds: at most this many rows in a backlog.""")
    private @Nullable Long iterations;

    @Option(names = "--warmup", paramLabel = "N", description = "Warm-up iterations. Default: until the mode settles.")
    private @Nullable Long warmUp;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            completionCandidates = ModeNames.WithBatchSize.class,
            description = "Values per block, for ${COMPLETION-CANDIDATES}. Default: 200.")
    private long batchSize = 200;

    @Option(
            names = "--low-water-mark",
            paramLabel = "N",
            completionCandidates = ModeNames.WithLowWaterMark.class,
            description = "Values left when the next block is fetched, for ${COMPLETION-CANDIDATES}. Default: 50.")
    private long lowWaterMark = 50;

    @Option(names = "--app-latency", converter = LengthOfTime.class, paramLabel = "TIME", description = """
                    Duration of the simulated transaction around each number. Default: 10ms; with --rate, and in the scenario feeds, 0ms.""")
    private @Nullable Duration appLatency;

    @Option(names = "--insert-rows", description = """
                    Insert each number into a temporary table, as a row's primary key: in the transaction that drew \
                    it, or in one after the draw.""")
    private boolean insertRows;

    @Option(names = "--rate", converter = PerSecond.class, paramLabel = "N/s", description = """
                    Start iterations at this rate, such as 4000/s, whether or not earlier ones have ended.
                    Latency is then measured from the intended start.""")
    private @Nullable BigDecimal rate;

    @Option(names = "--burst", paramLabel = "N", description = "With --rate: arrivals at once. Default: 1.")
    private @Nullable Integer burst;

    @Option(names = "--duration", converter = LengthOfTime.class, paramLabel = "TIME", description = """
                    Duration of each run with --rate, and in the scenarios mariadb, couchbase and feeds. \
                    Default: 10s, 1s, 3s and 3s.""")
    private @Nullable Duration duration;

    /** Rejects options that contradict each other; called first. */
    public void check() {
        threadsOr().forEach(clients -> within("--threads", clients, 1, 10_000));
        within("--processes", processes, 1, 100);
        within("--iterations", iterations, 1, MOST_ITERATIONS / processes);
        exclude(processes > 1 && insertRows, "--processes", "--insert-rows");
        within("--warmup", warmUp, 0, MOST_ITERATIONS);
        within("--batch-size", batchSize, 1, Integer.MAX_VALUE);
        within("--burst", burst, 1, MOST_ITERATIONS);
        within("--rounds", rounds, 1, 1000);
        refuse(duration != null && duration.isZero(), "--duration must be above 0");
        if (modes().stream().anyMatch(Contender::hasLowWaterMark)) {
            within("--low-water-mark", lowWaterMark, 1, batchSize);
        }
        if (scenarios != null) {
            exclude(rate != null, "--rate", "--scenario");
            exclude(burst != null, "--burst", "--scenario");
            exclude(insertRows, "--insert-rows", "--scenario");
            exclude(warmUp != null, "--warmup", "--scenario");
            exclude(processes > 1, "--processes", "--scenario");
            refuse(scenarios.contains(Scenario.FEEDS) && !ofFeeds(), "--scenario feeds runs alone, with all its ways");
            refuse(
                    ofFeeds() && durationOr(DURATION_OF_FEEDS).compareTo(LONGEST_OF_FEEDS) > 0,
                    "--duration must be at most 1m for feeds");
            refuse(!ofFeeds() && comparisons().isEmpty(), "these scenarios include no mode from --mode; name others");
        } else if (rate == null) {
            refuse(burst != null, "--burst requires --rate");
            refuse(duration != null, "--duration requires --rate or --scenario; add one, or use --iterations");
        } else {
            exclude(iterations != null, "--iterations", "--rate");
            refuse(
                    rate.doubleValue() * durationOr(DURATION).toNanos() / 1e9 > MOST_ITERATIONS,
                    "--rate × --duration must be at most " + MOST_ITERATIONS);
        }
    }

    private void exclude(boolean given, String option, String other) {
        refuse(given, option + " and " + other + " exclude each other; leave one of them out");
    }

    private void within(String option, @Nullable Number value, long least, long most) {
        refuse(
                value != null && (value.longValue() < least || value.longValue() > most),
                option + " must be from " + least + " to " + most + ", not " + value);
    }

    private void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new ParameterException(command.commandLine(), what);
        }
    }

    /** Returns the requested comparisons, by mode or by scenario. */
    public List<PlannedComparison> comparisons() {
        if (scenarios != null) {
            return scenarios.stream()
                    .flatMap(scenario -> scenario.comparisons(this).stream())
                    .distinct()
                    .map(comparison -> comparison.with(comparison.plans().stream()
                            .filter(plan -> modes == null || modes.contains(plan.mode()))
                            .toList()))
                    .filter(comparison -> !comparison.plans().isEmpty())
                    .toList();
        }
        List<Integer> clientCounts = rate == null ? threadsOr(10, 50) : threadsOr(8);
        Setting several =
                Setting.of("", processes == 1 ? "" : processes + " processes").inProcesses(processes);
        Setting setting = insertRows ? several.inserting(1, Setting.Form.ROW_BY_ROW) : several;
        if (rounds == null) {
            return modes().stream()
                    .flatMap(mode -> clientCounts.stream().map(clients -> plan(mode, clients, setting)))
                    .map(plan -> new PlannedComparison(List.of(plan), 1, false))
                    .toList();
        }
        return clientCounts.stream()
                .map(clients -> modes().stream()
                        .map(mode -> plan(mode, clients, setting))
                        .toList())
                .map(plans -> new PlannedComparison(plans, roundsOr(1), false))
                .toList();
    }

    private List<Contender> modes() {
        List<Contender> usual = rate == null ? Contender.MODES : MODES_AT_A_RATE;
        return withBaselines(Objects.requireNonNullElse(modes, usual)).stream()
                .distinct()
                .toList();
    }

    public int mostClients() {
        if (ofFeeds()) {
            return Collections.max(threadsOr(CLIENTS_OF_FEEDS)) + 1;
        }
        return comparisons().stream()
                .flatMap(comparison -> comparison.plans().stream())
                .mapToInt(RunPlan::threads)
                .max()
                .orElse(1);
    }

    /** Returns whether ways to number rows are to be measured, and not comparisons. */
    public boolean ofFeeds() {
        return List.of(Scenario.FEEDS).equals(scenarios) && modes == null;
    }

    public FeedBench feeds(Site site, String shown, AtomicBoolean stop) {
        return new FeedBench(
                site,
                Collections.max(threadsOr(CLIENTS_OF_FEEDS)),
                Objects.requireNonNullElse(appLatency, Duration.ZERO),
                durationOr(DURATION_OF_FEEDS),
                roundsOr(ROUNDS_OF_FEEDS),
                iterations == null ? BACKLOG : (int) Math.min(BACKLOG, iterations),
                shown,
                stop);
    }

    /** Returns whether the database's own sequence and UUIDs take part. */
    boolean baselines() {
        return baselines;
    }

    List<Contender> withBaselines(List<Contender> usual) {
        return baselines
                ? Stream.concat(usual.stream(), Scenario.BASELINES.stream()).toList()
                : usual;
    }

    List<Integer> threadsOr(Integer... usual) {
        return Objects.requireNonNullElse(threads, List.of(usual));
    }

    int roundsOr(int usual) {
        return Objects.requireNonNullElse(rounds, usual);
    }

    Duration durationOr(Duration usual) {
        return Objects.requireNonNullElse(duration, usual);
    }

    /** Returns a run without application work. */
    RunPlan plan(Contender contender, int clients, Workload workload, Setting setting) {
        return new RunPlan(contender, clients, batchSize, lowWaterMark, Duration.ZERO, workload, setting);
    }

    /** Returns a run with the requested application work and workload. */
    RunPlan plan(Contender contender, int clients, Setting setting) {
        Duration work = Objects.requireNonNullElse(appLatency, Duration.ofMillis(rate == null ? 10 : 0));
        Workload workload = rate == null ? closed(contender, clients) : open(rate.doubleValue() / processes);
        return new RunPlan(contender, clients, batchSize, lowWaterMark, work, workload, setting);
    }

    private ClosedLoop closed(Contender contender, int clients) {
        long measured = Objects.requireNonNullElse(iterations, 2000L);
        long usual = ClosedLoop.warmUpOf(contender.dealsFromMemory() || contender.dealsFromBlocks(), clients, measured);
        return new ClosedLoop(measured, Objects.requireNonNullElse(warmUp, usual));
    }

    private OpenLoop open(double perSecond) {
        long usual = Math.round(perSecond * SECONDS_OF_WARM_UP);
        return new OpenLoop(
                perSecond,
                Objects.requireNonNullElse(burst, 1),
                durationOr(DURATION),
                Objects.requireNonNullElse(warmUp, usual));
    }
}
