// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.cli.bench.Setting.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The experiments of a system that published its figures, to be made on any store. Immutable. */
enum Scenario {
    /** Modes × threads, around a transaction of the application's that is simulated. */
    SPANNER {
        @Override
        List<Contest> contests(Wishes wishes) {
            List<Contest> contests = new ArrayList<>();
            for (Contender contender : with(wishes, LIBRARY)) {
                for (int threads : wishes.threadsOr(10, 50)) {
                    contests.add(new Contest(
                            List.of(aroundWork(wishes, contender, threads)),
                            wishes.rounds().orElse(1),
                            false));
                }
            }
            return contests;
        }

        private RunPlan aroundWork(Wishes wishes, Contender contender, int threads) {
            long iterations = wishes.iterations().orElse(2000);
            return new RunPlan(
                    contender,
                    threads,
                    contender == Peer.NATIVE ? DENSE : wishes.batchSize(),
                    wishes.lowWaterMark(),
                    wishes.appLatency().orElse(Duration.ofMillis(10)),
                    new ClosedLoop(iterations, ClosedLoop.warmUpOf(contender, threads, iterations)),
                    setting(""));
        }
    },

    /** One value per reservation, 65536 per reservation, and UUIDs: drawn singly, for many rows at once, and by many. */
    DSQL {
        @Override
        List<Contest> contests(Wishes wishes) {
            int draws = 100;
            int rows = 1000;
            int crowd = wishes.threadsOr(100).stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(100);
            // Before the insert that counts, one that does not: of 65 in a row, one takes a reservation.
            return List.of(
                    contest(wishes, 1, new ClosedLoop(draws, 0), 11, singly(draws + " single draws")),
                    contest(
                            wishes,
                            1,
                            new ClosedLoop(1, 1),
                            11,
                            setting("bulk insert of " + rows + " rows").with(Use.statement(rows))),
                    contest(
                            wishes,
                            crowd,
                            new ClosedLoop((long) crowd * draws, 0),
                            3,
                            singly(crowd + " workers × " + draws + " draws")));
        }

        private Setting singly(String experiment) {
            return setting(experiment).onePerThread();
        }

        private Contest contest(Wishes wishes, int threads, ClosedLoop loop, int rounds, Setting setting) {
            List<RunPlan> plans = new ArrayList<>();
            plans.add(wishes.plan(BenchMode.ASYNC, threads, loop, setting));
            plans.add(Wishes.sized(wishes.plan(BenchMode.BATCH, threads, loop, setting), SCALABLE));
            plans.add(wishes.plan(Peer.UUID, threads, loop, setting));
            plans.add(wishes.plan(Peer.UUID_V4, threads, loop, setting));
            plans.add(Wishes.sized(wishes.plan(Peer.NATIVE, threads, loop, setting), DENSE));
            plans.add(Wishes.sized(wishes.plan(Peer.NATIVE, threads, loop, setting), SCALABLE));
            if (wishes.peers()) {
                plans.add(wishes.plan(Peer.UUID_V7, threads, loop, setting));
            }
            return new Contest(plans, wishes.rounds().orElse(rounds), true);
        }
    },

    /** Rows with a number each as their primary key, against columns that number themselves. */
    MARIADB {
        @Override
        List<Contest> contests(Wishes wishes) {
            List<Contest> contests = new ArrayList<>();
            for (Setting setting : List.of(
                    setting("row by row").with(Use.rows(1)),
                    setting("10 rows per transaction").with(Use.rows(10)),
                    setting("10 rows per transaction, one batch").with(Use.batch(10)))) {
                boolean cold = true;
                for (int threads : wishes.threadsOr(1, 2, 4, 8, 16, 32, 64, 128)) {
                    List<RunPlan> plans = with(wishes, COLUMNS).stream()
                            .map(contender -> inserting(wishes, contender, threads, setting))
                            .toList();
                    contests.add(new Contest(plans, wishes.rounds().orElse(3), cold));
                    cold = false;
                }
            }
            return contests;
        }

        private RunPlan inserting(Wishes wishes, Contender contender, int threads, Setting setting) {
            Duration lasting = wishes.duration().orElse(Duration.ofSeconds(1));
            RunPlan plan = wishes.plan(contender, threads, timed(lasting), setting);
            return contender == Peer.NATIVE ? Wishes.sized(plan, CACHED) : plan;
        }
    },

    /** Single increments in a tight loop, by one process and by two; over several counters; and without their cost. */
    COUCHBASE {
        @Override
        List<Contest> contests(Wishes wishes) {
            List<Contest> contests = new ArrayList<>();
            for (int processes = 1; processes <= 2; processes++) {
                Setting setting = setting(processes == 1 ? "one process" : "two processes")
                        .inProcesses(processes);
                for (int threads : wishes.threadsOr(32)) {
                    Workload loop = timed(wishes.duration().orElse(Duration.ofSeconds(3)));
                    List<RunPlan> plans = Stream.of(BenchMode.ASYNC, Peer.STRIPED, BenchMode.ADAPTIVE)
                            .map(contender -> wishes.plan(contender, threads, loop, setting))
                            .toList();
                    contests.add(new Contest(plans, wishes.rounds().orElse(3), false));
                }
            }
            if (wishes.peers()) {
                contests.addAll(peers(wishes));
            }
            return contests;
        }

        private List<Contest> peers(Wishes wishes) {
            Workload loop = timed(wishes.duration().orElse(Duration.ofSeconds(3)));
            return wishes.threadsOr(32).stream()
                    .map(threads -> new Contest(
                            PEERS.stream()
                                    .map(peer -> Wishes.sized(
                                            wishes.plan(peer, threads, loop, setting("one process")), DENSE))
                                    .toList(),
                            wishes.rounds().orElse(3),
                            false))
                    .toList();
        }
    };

    private static final long DENSE = 1;
    private static final long CACHED = 1000;
    private static final long SCALABLE = 65_536;
    private static final long MOST_ITERATIONS = 4_000_000;

    private static final List<Contender> LIBRARY = List.of(
            BenchMode.SYNC,
            BenchMode.GROUPED,
            BenchMode.POOLED,
            BenchMode.ASYNC,
            BenchMode.COMBINED,
            BenchMode.BATCH,
            BenchMode.ASYNC_BATCH,
            BenchMode.ADAPTIVE);
    private static final List<Contender> COLUMNS = List.of(
            Peer.AUTO_INCREMENT,
            Peer.EMULATED,
            BenchMode.GROUPED,
            BenchMode.POOLED,
            BenchMode.COMBINED,
            BenchMode.BATCH,
            BenchMode.ADAPTIVE);

    /** What {@code --peers} adds. */
    static final List<Contender> PEERS = List.of(Peer.NATIVE, Peer.UUID_V4, Peer.UUID_V7);

    /** The scenario's runs, in the order in which they are made. */
    abstract List<Contest> contests(Wishes wishes);

    /** Its name, in files and reports. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    Setting setting(String experiment) {
        return Setting.of(title(), experiment);
    }

    private static List<Contender> with(Wishes wishes, List<Contender> usual) {
        return wishes.peers() ? Stream.concat(usual.stream(), PEERS.stream()).toList() : usual;
    }

    /** A third of the time warms up, half a second at most. */
    private static Workload timed(Duration measured) {
        Duration third = measured.dividedBy(3);
        Duration half = Duration.ofMillis(500);
        return new ClosedLoop(
                Extent.lasting(measured, MOST_ITERATIONS),
                Extent.lasting(third.compareTo(half) < 0 ? third : half, MOST_ITERATIONS / 4));
    }
}
