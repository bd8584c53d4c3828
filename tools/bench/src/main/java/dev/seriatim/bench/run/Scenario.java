// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.ClosedLoop;
import dev.seriatim.bench.load.ClosedLoop.Extent;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.bench.run.Setting.Form;
import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The experiments of a system that published its figures, rerun on any store. Immutable. */
enum Scenario {
    /** Modes × threads, around a simulated application transaction. */
    SPANNER {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            List<PlannedComparison> comparisons = new ArrayList<>();
            for (Contender contender : options.withBaselines(Contender.MODES)) {
                for (int threads : options.threadsOr(10, 50)) {
                    RunPlan plan = options.plan(contender, threads, setting(""));
                    comparisons.add(new PlannedComparison(
                            List.of(contender.equals(Contender.NATIVE) ? plan.sized(DENSE) : plan),
                            options.roundsOr(1),
                            false));
                }
            }
            if (options.baselines()) {
                Setting rows = setting("a row each").inserting(1, Form.ROW_BY_ROW);
                comparisons.addAll(inTurns(options, KEYS, rows, 1, true, options.threadsOr(10, 50)));
            }
            return comparisons;
        }
    },

    /** Compares blocks of 1 and 65536 values with UUIDs: single draws, bulk inserts, many workers. */
    DSQL {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            int draws = 100;
            int rows = 1000;
            int crowd = Collections.max(options.threadsOr(100));
            // One insert as a warm-up: of 65 in a row, one takes a reservation.
            return List.of(
                    comparison(options, 1, new ClosedLoop(draws, 0), 11, singly(draws + " single draws")),
                    comparison(
                            options,
                            1,
                            new ClosedLoop(1, 1),
                            11,
                            setting("bulk insert of " + rows + " rows").inserting(rows, Form.STATEMENT)),
                    comparison(
                            options,
                            crowd,
                            new ClosedLoop((long) crowd * draws, 0),
                            3,
                            singly(crowd + " workers × " + draws + " draws")));
        }

        private Setting singly(String experiment) {
            return setting(experiment).withInstancePerThread();
        }

        private PlannedComparison comparison(
                WorkloadOptions options, int threads, ClosedLoop loop, int rounds, Setting setting) {
            RunPlan plan = options.plan(Contender.of(DrawMode.ASYNC), threads, loop, setting);
            List<RunPlan> plans = new ArrayList<>(List.of(
                    plan,
                    plan.with(Contender.of(DrawMode.BATCH)).sized(SCALABLE),
                    plan.with(Contender.SERVER_UUID),
                    plan.with(Contender.UUID_V4),
                    plan.with(Contender.NATIVE).sized(DENSE),
                    plan.with(Contender.NATIVE).sized(SCALABLE)));
            if (options.baselines()) {
                plans.add(plan.with(Contender.UUID_V7));
            }
            return new PlannedComparison(plans, options.roundsOr(rounds), true);
        }
    },

    /** Rows with a number as primary key, against AUTO_INCREMENT columns. */
    MARIADB {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            List<PlannedComparison> comparisons = new ArrayList<>();
            Workload loop = timed(options.durationOr(Duration.ofSeconds(1)));
            for (Setting setting : List.of(
                    setting("row by row").inserting(1, Form.ROW_BY_ROW),
                    setting("10 rows per transaction").inserting(10, Form.ROW_BY_ROW),
                    setting("10 rows per transaction, one batch").inserting(10, Form.BATCH))) {
                boolean cold = true;
                for (int threads : options.threadsOr(1, 2, 4, 8, 16, 32, 64, 128)) {
                    List<RunPlan> plans = options.withBaselines(COLUMNS).stream()
                            .map(contender -> options.plan(contender, threads, loop, setting))
                            .map(plan -> plan.mode().equals(Contender.NATIVE) ? plan.sized(CACHED) : plan)
                            .toList();
                    comparisons.add(new PlannedComparison(plans, options.roundsOr(3), cold));
                    cold = false;
                }
            }
            return comparisons;
        }
    },

    /** Single increments in a tight loop, by one process and by two; over several counters; and ADAPTIVE. */
    COUCHBASE {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            List<Contender> contenders =
                    List.of(Contender.of(DrawMode.ASYNC), Contender.STRIPED, Contender.of(DrawMode.ADAPTIVE));
            List<Integer> threads = options.threadsOr(32);
            Setting one = setting("one process");
            Setting two = setting("two processes").inProcesses(2);
            List<PlannedComparison> comparisons = new ArrayList<>();
            comparisons.addAll(inTurns(options, contenders, one, 3, false, threads));
            comparisons.addAll(inTurns(options, contenders, two, 3, false, threads));
            if (options.baselines()) {
                comparisons.addAll(inTurns(options, BASELINES, one, 3, false, threads));
            }
            return comparisons;
        }
    },

    /** Ways to number rows for a poller, which {@link FeedBench} measures. */
    FEEDS {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            return List.of();
        }
    },

    /** All of the others, except feeds. */
    ALL {
        @Override
        List<PlannedComparison> comparisons(WorkloadOptions options) {
            return Arrays.stream(values())
                    .filter(scenario -> scenario != ALL)
                    .flatMap(scenario -> scenario.comparisons(options).stream())
                    .toList();
        }
    };

    private static final long DENSE = 1;
    private static final long CACHED = 1000;
    private static final long SCALABLE = 65_536;
    private static final long MOST_ITERATIONS = 4_000_000;

    private static final List<Contender> COLUMNS = List.of(
            Contender.AUTO_INCREMENT,
            Contender.EMULATED,
            Contender.of(DrawMode.GROUPED),
            Contender.of(DrawMode.POOLED),
            Contender.of(DrawMode.COMBINED),
            Contender.of(DrawMode.CONFIRMED),
            Contender.of(DrawMode.BATCH),
            Contender.of(DrawMode.ADAPTIVE));

    /** Keys that the database makes, against those from blocks. */
    private static final List<Contender> KEYS = List.of(
            Contender.AUTO_INCREMENT,
            Contender.NATIVE,
            Contender.SERVER_UUID,
            Contender.UUID_V4,
            Contender.of(DrawMode.ADAPTIVE));

    /** The contenders that {@code --baselines} adds. */
    static final List<Contender> BASELINES = List.of(Contender.NATIVE, Contender.UUID_V4, Contender.UUID_V7);

    abstract List<PlannedComparison> comparisons(WorkloadOptions options);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    Setting setting(String experiment) {
        return Setting.of(toString(), experiment);
    }

    /** Compares contenders at each number of threads; native sequences without a cache. */
    private static List<PlannedComparison> inTurns(
            WorkloadOptions options,
            List<Contender> contenders,
            Setting setting,
            int seconds,
            boolean practice,
            List<Integer> threads) {
        Workload loop = timed(options.durationOr(Duration.ofSeconds(seconds)));
        return threads.stream()
                .map(count -> contenders.stream()
                        .map(contender -> options.plan(contender, count, loop, setting))
                        .map(plan -> plan.mode().equals(Contender.NATIVE) ? plan.sized(DENSE) : plan)
                        .toList())
                .map(plans -> new PlannedComparison(plans, options.roundsOr(3), practice))
                .toList();
    }

    /** A warm-up takes a third of the run, at most half a second. */
    private static Workload timed(Duration measured) {
        Duration third = measured.dividedBy(3);
        Duration half = Duration.ofMillis(500);
        return new ClosedLoop(
                new Extent(MOST_ITERATIONS, measured),
                new Extent(MOST_ITERATIONS / 4, third.compareTo(half) < 0 ? third : half));
    }
}
