// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.Extent;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.run.Setting.Use;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The experiments of a system that published its figures, rerun on any store. Immutable. */
public enum Scenario {
    /** Modes × threads, around a simulated application transaction. */
    SPANNER {
        @Override
        public List<PlannedComparison> comparisons(Overrides overrides) {
            List<PlannedComparison> comparisons = new ArrayList<>();
            for (Contender contender : with(overrides, ModeContender.all())) {
                for (int threads : overrides.threadsOr(10, 50)) {
                    comparisons.add(new PlannedComparison(
                            List.of(aroundWork(overrides, contender, threads)),
                            overrides.rounds().orElse(1),
                            false));
                }
            }
            return comparisons;
        }

        private RunPlan aroundWork(Overrides overrides, Contender contender, int threads) {
            long iterations = overrides.iterations().orElse(2000);
            return new RunPlan(
                    contender,
                    threads,
                    contender == Baseline.NATIVE ? DENSE : overrides.batchSize(),
                    overrides.lowWaterMark(),
                    overrides.appLatency().orElse(Duration.ofMillis(10)),
                    new ClosedLoop(iterations, ClosedLoop.warmUpOf(contender.settlesSizes(), threads, iterations)),
                    setting(""));
        }
    },

    /** Compares blocks of 1 and 65536 values with UUIDs: single draws, bulk inserts, many workers. */
    DSQL {
        @Override
        public List<PlannedComparison> comparisons(Overrides overrides) {
            int draws = 100;
            int rows = 1000;
            int crowd = overrides.threadsOr(100).stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(100);
            // One insert as a warm-up: of 65 in a row, one takes a reservation.
            return List.of(
                    comparison(overrides, 1, new ClosedLoop(draws, 0), 11, singly(draws + " single draws")),
                    comparison(
                            overrides,
                            1,
                            new ClosedLoop(1, 1),
                            11,
                            setting("bulk insert of " + rows + " rows").with(Use.statement(rows))),
                    comparison(
                            overrides,
                            crowd,
                            new ClosedLoop((long) crowd * draws, 0),
                            3,
                            singly(crowd + " workers × " + draws + " draws")));
        }

        private Setting singly(String experiment) {
            return setting(experiment).onePerThread();
        }

        private PlannedComparison comparison(
                Overrides overrides, int threads, ClosedLoop loop, int rounds, Setting setting) {
            List<RunPlan> plans = new ArrayList<>();
            plans.add(overrides.plan(new ModeContender(DrawMode.ASYNC), threads, loop, setting));
            plans.add(Overrides.sized(
                    overrides.plan(new ModeContender(DrawMode.BATCH), threads, loop, setting), SCALABLE));
            plans.add(overrides.plan(Baseline.UUID, threads, loop, setting));
            plans.add(overrides.plan(Baseline.UUID_V4, threads, loop, setting));
            plans.add(Overrides.sized(overrides.plan(Baseline.NATIVE, threads, loop, setting), DENSE));
            plans.add(Overrides.sized(overrides.plan(Baseline.NATIVE, threads, loop, setting), SCALABLE));
            if (overrides.baselines()) {
                plans.add(overrides.plan(Baseline.UUID_V7, threads, loop, setting));
            }
            return new PlannedComparison(plans, overrides.rounds().orElse(rounds), true);
        }
    },

    /** Rows with a number as primary key, against AUTO_INCREMENT columns. */
    MARIADB {
        @Override
        public List<PlannedComparison> comparisons(Overrides overrides) {
            List<PlannedComparison> comparisons = new ArrayList<>();
            for (Setting setting : List.of(
                    setting("row by row").with(Use.rows(1)),
                    setting("10 rows per transaction").with(Use.rows(10)),
                    setting("10 rows per transaction, one batch").with(Use.batch(10)))) {
                boolean cold = true;
                for (int threads : overrides.threadsOr(1, 2, 4, 8, 16, 32, 64, 128)) {
                    List<RunPlan> plans = with(overrides, COLUMNS).stream()
                            .map(contender -> inserting(overrides, contender, threads, setting))
                            .toList();
                    comparisons.add(
                            new PlannedComparison(plans, overrides.rounds().orElse(3), cold));
                    cold = false;
                }
            }
            return comparisons;
        }

        private RunPlan inserting(Overrides overrides, Contender contender, int threads, Setting setting) {
            Duration lasting = overrides.duration().orElse(Duration.ofSeconds(1));
            RunPlan plan = overrides.plan(contender, threads, timed(lasting), setting);
            return contender == Baseline.NATIVE ? Overrides.sized(plan, CACHED) : plan;
        }
    },

    /** Single increments in a tight loop, by one process and by two; over several counters; and ADAPTIVE. */
    COUCHBASE {
        @Override
        public List<PlannedComparison> comparisons(Overrides overrides) {
            List<PlannedComparison> comparisons = new ArrayList<>();
            for (int processes = 1; processes <= 2; processes++) {
                Setting setting = setting(processes == 1 ? "one process" : "two processes")
                        .inProcesses(processes);
                for (int threads : overrides.threadsOr(32)) {
                    Workload loop = timed(overrides.duration().orElse(Duration.ofSeconds(3)));
                    List<RunPlan> plans = Stream.of(
                                    new ModeContender(DrawMode.ASYNC),
                                    Baseline.STRIPED,
                                    new ModeContender(DrawMode.ADAPTIVE))
                            .map(contender -> overrides.plan(contender, threads, loop, setting))
                            .toList();
                    comparisons.add(
                            new PlannedComparison(plans, overrides.rounds().orElse(3), false));
                }
            }
            if (overrides.baselines()) {
                comparisons.addAll(baselines(overrides));
            }
            return comparisons;
        }

        private List<PlannedComparison> baselines(Overrides overrides) {
            Workload loop = timed(overrides.duration().orElse(Duration.ofSeconds(3)));
            return overrides.threadsOr(32).stream()
                    .map(threads -> new PlannedComparison(
                            BASELINES.stream()
                                    .map(baseline -> Overrides.sized(
                                            overrides.plan(baseline, threads, loop, setting("one process")), DENSE))
                                    .toList(),
                            overrides.rounds().orElse(3),
                            false))
                    .toList();
        }
    };

    private static final long DENSE = 1;
    private static final long CACHED = 1000;
    private static final long SCALABLE = 65_536;
    private static final long MOST_ITERATIONS = 4_000_000;

    private static final List<Contender> COLUMNS = List.of(
            Baseline.AUTO_INCREMENT,
            Baseline.EMULATED,
            new ModeContender(DrawMode.GROUPED),
            new ModeContender(DrawMode.POOLED),
            new ModeContender(DrawMode.COMBINED),
            new ModeContender(DrawMode.CONFIRMED),
            new ModeContender(DrawMode.BATCH),
            new ModeContender(DrawMode.ADAPTIVE));

    /** The contenders that {@code --baselines} adds. */
    public static final List<Contender> BASELINES = List.of(Baseline.NATIVE, Baseline.UUID_V4, Baseline.UUID_V7);

    /** Returns the scenario's runs, in order. */
    public abstract List<PlannedComparison> comparisons(Overrides overrides);

    /** Returns its name in files and reports. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    Setting setting(String experiment) {
        return Setting.of(title(), experiment);
    }

    private static List<Contender> with(Overrides overrides, List<? extends Contender> usual) {
        return Stream.concat(usual.stream(), overrides.baselines() ? BASELINES.stream() : Stream.of())
                .toList();
    }

    /** A warm-up takes a third of the run, at most half a second. */
    private static Workload timed(Duration measured) {
        Duration third = measured.dividedBy(3);
        Duration half = Duration.ofMillis(500);
        return new ClosedLoop(
                Extent.lasting(measured, MOST_ITERATIONS),
                Extent.lasting(third.compareTo(half) < 0 ? third : half, MOST_ITERATIONS / 4));
    }
}
