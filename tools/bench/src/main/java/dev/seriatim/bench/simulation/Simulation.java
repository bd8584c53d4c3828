// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.Allocation;
import dev.seriatim.engine.sizing.AdaptiveSizing;
import dev.seriatim.engine.sizing.FixedSizing;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Simulates a plan. Thread-safe.
 *
 * <p>It simulates the row, which one transaction at a time holds, in order of arrival; the network to the row and back; the
 * library in each instance, which decides when to reserve, how many values, and which callers they serve; and the callers. It
 * ignores processor time, failures and limits of the database other than the row. Callers never give up; those that wait
 * longer than the default patience are counted.
 */
public final class Simulation {

    private static final int FEWEST_LOOKS = 20;
    private static final int MOST_LOOKS = 500;
    private static final int HANDS_LOOKED_AT = 2_000_000;

    private final SimulationPlan plan;
    private final Timeline timeline = new Timeline();
    private final SimulatedRow row;
    private final Tally tally;
    private final Instance.Shared shared;
    private final SplittableRandom random;
    private final long begins;
    private final long ends;

    private Simulation(SimulationPlan plan) {
        this.plan = plan;
        random = new SplittableRandom(plan.seed());
        begins = plan.warmUp().toNanos();
        ends = begins + plan.counted().toNanos();
        row = new SimulatedRow(timeline, plan.store());
        tally = new Tally(begins, ends);
        shared = new Instance.Shared(plan, timeline, row, tally);
    }

    /** Runs the plan. Equal plans have equal results. */
    public static SimulationResult of(SimulationPlan plan) {
        return new Simulation(plan).run();
    }

    private SimulationResult run() {
        SplittableRandom moments = random.split();
        List<Instance> instances = new ArrayList<>();
        for (int i = 0; i < plan.fleet().instances(); i++) {
            instances.add(instance(i));
        }
        instances.forEach(Instance::begin);
        timeline.runTo(begins);
        long busyBefore = row.busyNanos();
        long transactionsBefore = row.transactions();
        int looks = Math.max(FEWEST_LOOKS, Math.min(MOST_LOOKS, HANDS_LOOKED_AT / instances.size()));
        moments.longs(looks, begins, ends).sorted().forEach(moment -> {
            timeline.runTo(moment);
            tally.look(instances, moment);
        });
        timeline.runTo(ends - 1);
        long inHand = instances.stream()
                .mapToLong(instance -> instance.hand(ends - 1).count())
                .sum();
        long dealt = row.taken() - inHand;
        instances.forEach(instance -> instance.end(ends - 1));
        double nanos = ends - begins;
        return tally.result(
                (row.transactions() - transactionsBefore) * 1e9 / nanos,
                (row.busyNanos() - busyBefore) / nanos,
                dealt,
                (double) row.taken() / Math.max(1, dealt));
    }

    private Instance instance(int index) {
        boolean besideTheRow = index % plan.fleet().regions() == 0;
        long trip = besideTheRow ? 0 : plan.fleet().roundTrip().toNanos() / 2;
        SimulatedCallers callers = callers(random.split());
        SimulationPlan.Blocks blocks = plan.blocks();
        return switch (plan.mode()) {
            case SYNC, ASYNC -> new SeparateInstance(shared, trip, callers);
            case GROUPED -> new GroupingInstance(shared, trip, callers);
            case COMBINED -> new LineInstance(shared, trip, callers, 0);
            case CONFIRMED -> new LineInstance(shared, trip, callers, Allocation.Confirmed.DEFAULT_MAX_BLOCK);
            case BATCH -> new BlockInstance(shared, trip, callers, new FixedSizing(blocks.size(), FixedSizing.NO_MARK));
            case ASYNC_BATCH ->
                new BlockInstance(shared, trip, callers, new FixedSizing(blocks.size(), blocks.lowWaterMark()));
            case ADAPTIVE -> {
                Allocation.Adaptive bounds = (Allocation.Adaptive) Allocation.adaptive();
                yield new BlockInstance(shared, trip, callers, new AdaptiveSizing(bounds));
            }
            case POOLED -> throw new IllegalStateException("the plan refuses " + plan.mode());
        };
    }

    private SimulatedCallers callers(SplittableRandom chance) {
        if (plan.demand() instanceof Demand.Rate rate) {
            return new Arrivals(rate.perSecond(), chance, tally);
        }
        int threads = ((Demand.Threads) plan.demand()).threads();
        long work = plan.work().toNanos();
        long spread = Timeline.nanos(plan.store().reservation()) + work;
        return new LoopingCallers(threads, plan.mode().drawsInTransaction() ? 0 : work, spread, chance, tally);
    }
}
