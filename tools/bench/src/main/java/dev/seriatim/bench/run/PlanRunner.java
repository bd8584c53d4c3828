// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.Block;
import dev.seriatim.bench.load.LoneTimes;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.TimedCalls;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Runs plans on one store, each on a temporary sequence. Used by one thread at a time.
 */
public final class PlanRunner {

    private final Site site;
    private final StopSignal stop;
    private final TimedCalls calls;

    /** True if only one transaction at a time can insert rows; set before the first run that inserts rows. */
    private volatile boolean oneWriter;

    /** Measures the times of the store's calls. */
    public PlanRunner(Site site, StopSignal stop) {
        this.site = site;
        this.stop = stop;
        this.calls = new TimedCalls(site.store());
    }

    Site site() {
        return site;
    }

    TimedCalls calls() {
        return calls;
    }

    /** Returns why the store cannot run a plan; empty if it can. */
    Optional<String> missing(RunPlan plan) {
        Setting.Use use = plan.setting().use();
        if (use.insertsRows() && !site.hasTables()) {
            return Optional.of("it has no tables to insert rows into");
        }
        if (use.inOneStatement() && site.engine().series().isEmpty()) {
            return Optional.of("the benchmark has no bulk insert for it");
        }
        if (plan.setting().processes() > 1) {
            Optional<String> alone = SecondProcess.missingFrom(site);
            if (alone.isPresent()) {
                return alone;
            }
        }
        return plan.mode().missingFrom(site, plan);
    }

    /** Returns the estimate for such plans. */
    RunTime runTime(List<RunPlan> plans) {
        boolean rows = plans.stream().anyMatch(plan -> plan.setting().use().insertsRows());
        oneWriter = rows && WriterProbe.findsOneWriter(site);
        return new RunTime(
                LoneTimes.of(site, calls.usual(), rows),
                // A transaction waits for a disk or a network half of the time.
                2 * Runtime.getRuntime().availableProcessors(),
                oneWriter,
                site.hasConnections());
    }

    /**
     * Runs one plan, and shows its progress.
     *
     * @param title the title of the progress
     */
    @SuppressWarnings("try") // the progress shows itself
    RunResult run(RunPlan plan, String title) {
        AtomicLong begun = new AtomicLong();
        try (Progress watched =
                Progress.start(title, begun::get, plan.workload().total())) {
            return run(plan, begun::set);
        }
    }

    private RunResult run(RunPlan plan, LongConsumer begun) {
        SimulatedWork work = new SimulatedWork(plan.appLatencyNanos(), new Pause(stop));
        if (!plan.setting().use().insertsRows()) {
            return run(plan, begun, work, Optional::empty);
        }
        try (ScratchTable table = ScratchTable.in(site, plan.mode().key())) {
            return run(
                    plan,
                    begun,
                    InsertedRows.into(table, site, plan.setting().use(), work),
                    () -> Optional.of(table.numbers()));
        }
    }

    private RunResult run(
            RunPlan plan, LongConsumer begun, ClientWork application, Supplier<Optional<long[]>> committed) {
        try (ScratchSequence scratch = ScratchSequence.in(site.store())) {
            Measured measured = measured(plan, begun, application, scratch.name());
            long[] drawn = measured.draws().values;
            long next = plan.mode().drawsFromTheSequence() ? scratch.next() : afterTheHighest(drawn, scratch.start());
            SelfCheck check = SelfCheck.of(
                    plan.mode(), measured.draws(), committed.get(), laidOut(scratch.name()), scratch.start(), next);
            boolean ordered = site.store().ordered();
            return result(plan, measured, ordered ? check : check.withoutOrder(), next - scratch.start());
        }
    }

    /** When this returns, no reservation is under way, so that the values read next are consistent. */
    private Measured measured(RunPlan plan, LongConsumer begun, ClientWork application, String sequence) {
        if (plan.setting().processes() > 1) {
            return SecondProcess.measure(site, sequence, plan, stop, begun);
        }
        try (Stage stage = new Stage(site, sequence, plan, application, false)) {
            return plan.workload()
                    .run(plan.threads(), plan.mode().ordered(), plan.mode().iteration(stage), stop, begun);
        }
    }

    private static long afterTheHighest(long[] numbers, long start) {
        return Arrays.stream(numbers).max().orElse(start - 1) + 1;
    }

    /** Returns the numbers of the pool, if there is one. */
    private long[] laidOut(String sequence) {
        OpenStore store = site.store();
        Optional<PoolState> pool =
                store instanceof PoolingStore<?> pooling ? pooling.poolState(sequence) : Optional.empty();
        return pool.stream()
                .flatMap(state -> state.laidOut().stream())
                .flatMapToLong(Block::values)
                .toArray();
    }

    /**
     * Returns the limit at the shortest times observed. If a run exceeds it, the server has become faster and is measured again. A run
     * that still exceeds it is the new limit.
     */
    private double limit(RunPlan plan, double reached) {
        if (reached > limit(plan)) {
            calls.lookAgain();
        }
        return Math.max(reached, limit(plan));
    }

    private double limit(RunPlan plan) {
        double limit = plan.limitPerSecond(calls.fastest());
        return oneWriter && plan.setting().use().insertsRows()
                ? Math.min(limit, TimeUnit.SECONDS.toNanos(1) / (double) plan.appLatencyNanos())
                : limit;
    }

    private RunResult result(RunPlan plan, Measured measured, SelfCheck check, long reserved) {
        double limit = limit(plan, measured.numbers() * (double) TimeUnit.SECONDS.toNanos(1) / measured.nanos());
        long used = measured.draws().values.length;
        return new RunResult(
                plan,
                // Reservations of several instances overlap, so the latency of a single one is no bound.
                Double.isFinite(limit) && plan.setting().instances() == Setting.Instances.SHARED
                        ? OptionalDouble.of(limit)
                        : OptionalDouble.empty(),
                measured,
                check,
                plan.mode().dealsFromBlocks() && used > 0
                        ? OptionalDouble.of(reserved / (double) used)
                        : OptionalDouble.empty());
    }
}
