// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what is run. Filled in by picocli. Not thread-safe. */
final class WorkloadOptions {

    private static final List<BenchMode> MODES = List.of(
            BenchMode.SYNC,
            BenchMode.GROUPED,
            BenchMode.POOLED,
            BenchMode.ASYNC,
            BenchMode.COMBINED,
            BenchMode.BATCH,
            BenchMode.ASYNC_BATCH,
            BenchMode.ADAPTIVE);
    private static final List<BenchMode> MODES_AT_A_RATE =
            List.of(BenchMode.BATCH, BenchMode.ASYNC_BATCH, BenchMode.ADAPTIVE, BenchMode.ATOMIC_LONG);
    private static final List<Integer> THREADS = List.of(10, 50);
    private static final List<Integer> THREADS_AT_A_RATE = List.of(8);
    private static final Duration APP_LATENCY = Duration.ofMillis(10);
    private static final Duration DURATION = Duration.ofSeconds(10);
    private static final double SECONDS_OF_WARM_UP = 2;
    private static final int MOST_THREADS = 10_000;
    private static final long MOST_ITERATIONS = 20_000_000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli's to set
    private CommandSpec command;

    @Option(
            names = "--mode",
            split = ",",
            converter = ModeName.class,
            paramLabel = "MODE",
            description = {
                "What to measure, of: ${COMPLETION-CANDIDATES}.",
                "Default: all but ATOMIC_LONG, which is a counter in memory to compare with; at a rate, those that"
                        + " deal from memory."
            })
    private @Nullable List<BenchMode> modes;

    @Option(
            names = "--threads",
            split = ",",
            paramLabel = "N",
            description = "How many clients at a time. Default: 10,50; at a rate, 8.")
    private @Nullable List<Integer> threads;

    @Option(names = "--iterations", paramLabel = "N", description = "How many are measured per run. Default: 2000.")
    private @Nullable Long iterations;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "How many are done before and not recorded. Default: as many as a mode needs to settle.")
    private @Nullable Long warmUp;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "200",
            description = "Values per block, for BATCH and ASYNC_BATCH. Default: ${DEFAULT-VALUE}.")
    private long batchSize;

    @Option(
            names = "--low-water-mark",
            paramLabel = "N",
            defaultValue = "50",
            description = "Values left when ASYNC_BATCH fetches the next block. Default: ${DEFAULT-VALUE}.")
    private long lowWaterMark;

    @Option(
            names = "--app-latency",
            converter = LengthOfTime.class,
            paramLabel = "TIME",
            description = "How long the simulated transaction around each number takes. Default: 10ms; at a rate, 0ms.")
    private @Nullable Duration appLatency;

    @Option(
            names = "--insert-rows",
            description =
                    "Insert each number into a table, as a row's primary key: in the transaction that drew it, or in"
                            + " one after the draw. The table is the benchmark's own, and is dropped at the end.")
    private boolean insertRows;

    @Option(
            names = "--rate",
            converter = ArrivalRate.class,
            paramLabel = "N/s",
            description = {
                "Let clients arrive at this rate, such as 4000/s, whether or not others have been served, instead of"
                        + " one iteration after another.",
                "Latency then counts from the intended arrival."
            })
    private @Nullable Double rate;

    @Option(names = "--burst", paramLabel = "N", description = "At a rate: how many arrive at once. Default: 1.")
    private @Nullable Integer burst;

    @Option(
            names = "--duration",
            converter = LengthOfTime.class,
            paramLabel = "TIME",
            description = "At a rate: for how long. Default: 10s.")
    private @Nullable Duration duration;

    /** The runs that were asked for, mode by mode. */
    List<RunPlan> plans() {
        check();
        boolean atARate = rate != null;
        List<Integer> crews = threads != null ? threads : atARate ? THREADS_AT_A_RATE : THREADS;
        return modes().stream()
                .flatMap(mode -> crews.stream().map(crew -> plan(mode, crew)))
                .toList();
    }

    /** Whether each number becomes a row. */
    boolean insertRows() {
        return insertRows;
    }

    private List<BenchMode> modes() {
        return modes != null ? modes : rate != null ? MODES_AT_A_RATE : MODES;
    }

    private RunPlan plan(BenchMode mode, int crew) {
        Duration work = appLatency != null ? appLatency : rate != null ? Duration.ZERO : APP_LATENCY;
        return new RunPlan(mode, crew, batchSize, lowWaterMark, work, workload(mode, crew));
    }

    private Workload workload(BenchMode mode, int crew) {
        if (rate == null) {
            long measured = iterations();
            return new ClosedLoop(measured, warmUp != null ? warmUp : ClosedLoop.warmUpOf(mode, crew, measured));
        }
        long before = warmUp != null ? warmUp : Math.round(rate * SECONDS_OF_WARM_UP);
        return new OpenLoop(rate, burst != null ? burst : 1, duration != null ? duration : DURATION, before);
    }

    private long iterations() {
        return iterations != null ? iterations : 2000;
    }

    private void check() {
        for (int crew : threads != null ? threads : THREADS) {
            within("--threads", crew, 1, MOST_THREADS);
        }
        within("--iterations", iterations(), 1, MOST_ITERATIONS);
        within("--warmup", warmUp != null ? warmUp : 0, 0, MOST_ITERATIONS);
        within("--batch-size", batchSize, 1, Integer.MAX_VALUE);
        within("--burst", burst != null ? burst : 1, 1, MOST_ITERATIONS);
        if (modes().contains(BenchMode.ASYNC_BATCH)) {
            within("--low-water-mark", lowWaterMark, 1, batchSize);
        }
        if (rate == null) {
            refuse(burst != null, "--burst goes with --rate: add --rate, or leave it out");
            refuse(duration != null, "--duration goes with --rate: add --rate, or say --iterations");
            return;
        }
        refuse(iterations != null, "--iterations does not go with --rate: say --duration instead");
        refuse(duration != null && duration.isZero(), "--duration must be above 0");
        double seconds = (duration != null ? duration : DURATION).toNanos() / 1e9;
        refuse(rate * seconds > MOST_ITERATIONS, "--rate × --duration must be at most " + MOST_ITERATIONS);
    }

    private void within(String option, long value, long least, long most) {
        refuse(value < least || value > most, option + " must be " + least + " … " + most + ", not " + value);
    }

    private void refuse(boolean wrong, String what) {
        if (wrong) {
            throw new ParameterException(command.commandLine(), what);
        }
    }
}
