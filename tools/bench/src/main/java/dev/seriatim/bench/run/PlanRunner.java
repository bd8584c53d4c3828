// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.Block;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.TimedCalls;
import dev.seriatim.cli.terminal.Progress;
import dev.seriatim.store.ImmediateStore;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.PoolingStore;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Runs plans on one store, each on a temporary sequence. Used by one thread at a time. */
public record PlanRunner(Site site, AtomicBoolean stop, TimedCalls calls) {

    public PlanRunner(Site site, AtomicBoolean stop) {
        this(site, stop, new TimedCalls(site.store()));
    }

    /** Returns why the store cannot run a plan; empty if it can. */
    Optional<String> missing(RunPlan plan) {
        if (plan.setting().insertsRows() && !site.hasTables()) {
            return Optional.of("it has no tables to insert rows into");
        }
        if (plan.setting().inOneStatement() && site.engine().series().isEmpty()) {
            return Optional.of("no bulk insert");
        }
        boolean inMemory = site.store() instanceof ImmediateStore || site.url().matches(".*:mem(ory)?:.*");
        boolean shared = plan.mode().drawsFromTheSequence() || plan.mode().equals(Contender.STRIPED);
        if (plan.setting().processes() > 1 && (inMemory || !shared)) {
            return Optional.of("several processes cannot share it");
        }
        return plan.mode().absence().apply(site, plan);
    }

    /** Runs one plan, and shows its progress. */
    @SuppressWarnings("try") // the progress shows itself
    RunResult run(RunPlan plan, String title) {
        AtomicLong begun = new AtomicLong();
        try (Progress watched =
                        Progress.start(title, begun::get, plan.workload().total());
                ScratchTable table = plan.setting().insertsRows()
                        ? ScratchTable.in(site, plan.mode().key())
                        : null;
                ScratchSequence scratch = ScratchSequence.in(site.store())) {
            boolean batch = plan.setting().rowsAtATime() > 1;
            ClientWork work = new ClientWork(table, batch, plan.appLatency().toNanos(), new Pause(stop));
            Measured measured = measured(plan, begun::set, work, scratch.name());
            long start = scratch.definition().start();
            long next = plan.mode().drawsFromTheSequence()
                    ? scratch.next()
                    : Arrays.stream(measured.draws().values()).max().orElse(start - 1) + 1;
            SelfCheck check = SelfCheck.of(
                    plan.mode(),
                    plan.mode().ordered() && site.store().ordered(),
                    measured.draws(),
                    Optional.ofNullable(table).map(ScratchTable::numbers),
                    laidOut(scratch.name()),
                    start,
                    next);
            return result(plan, measured, check, next - start);
        }
    }

    /** When this returns, no reservation is under way, so that the values read next are consistent. */
    private Measured measured(RunPlan plan, LongConsumer begun, ClientWork work, String sequence) {
        try (Stage stage = Stage.of(site, sequence, plan, work, false)) {
            return plan.setting().processes() > 1
                    ? OtherProcess.measure(stage, stop, begun)
                    : stage.run(stage.iteration(), stop, begun);
        }
    }

    /** Returns the numbers of the pool, if there is one. */
    private long[] laidOut(String sequence) {
        Optional<PoolState> pool =
                site.store() instanceof PoolingStore<?> pooling ? pooling.poolState(sequence) : Optional.empty();
        return pool.stream()
                .flatMap(state -> state.laidOut().stream())
                .flatMapToLong(Block::values)
                .toArray();
    }

    private RunResult result(RunPlan plan, Measured measured, SelfCheck check, long reserved) {
        double limit = limit(plan, measured.numbers() * 1e9 / measured.nanos());
        int used = measured.draws().values().length;
        boolean ahead = plan.mode().dealsFromBlocks() && used > 0;
        return new RunResult(
                plan,
                Double.isFinite(limit) ? (Double) limit : null,
                measured,
                check,
                ahead ? (Double) (reserved / (double) used) : null);
    }

    /** Returns the limit at the shortest times observed. A run that exceeds it has them measured again, and may become the limit. */
    private double limit(RunPlan plan, double reached) {
        if (reached > limit(plan)) {
            calls.lookAgain();
        }
        return Math.max(reached, limit(plan));
    }

    private double limit(RunPlan plan) {
        double limit = plan.limitPerSecond(calls.fastest());
        return site.hasOneWriter() && plan.setting().insertsRows() ? Math.min(limit, 1 / plan.appSeconds()) : limit;
    }
}
