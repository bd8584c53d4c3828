// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.Allocation;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.sizing.AdaptiveSizing;
import dev.seriatim.engine.sizing.FixedSizing;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.engine.sizing.TenureSizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Simulates a plan. Thread-safe.
 *
 * <p>It simulates the row, which one transaction at a time holds, in order of arrival; the network to the row and back; the
 * library in each instance, which decides when to reserve, how many values, and which callers they serve; and the callers. It
 * ignores processor time, failures and limits of the database other than the row. Callers never give up; those that wait
 * longer than the default patience are counted.
 */
public final class Simulation {

    /** Maximum open transactions of an instance whose callers arrive at a rate: HikariCP's default number of connections. */
    private static final int CONNECTIONS = 10;

    private static final Allocation.Adaptive BOUNDS = (Allocation.Adaptive) Allocation.adaptive();

    private static final int FEWEST_LOOKS = 20;
    private static final int MOST_LOOKS = 500;
    private static final int HANDS_LOOKED_AT = 2_000_000;

    private final SimulationPlan plan;
    private final SplittableRandom random;
    private final Timeline timeline = new Timeline();
    private final SimulatedRow row = new SimulatedRow(timeline);
    private final InHandTally tally = new InHandTally();
    private final Latencies latencies;
    private final long begins;
    private final long ends;

    private Simulation(SimulationPlan plan) {
        this.plan = plan;
        random = new SplittableRandom(plan.seed());
        begins = plan.warmUp().toNanos();
        ends = begins + plan.counted().toNanos();
        latencies = new Latencies(begins, ends);
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
        long reservationsBefore = row.reservations();
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
        double seconds = (ends - begins) / (double) TimeUnit.SECONDS.toNanos(1);
        return new SimulationResult(
                latencies.count() / seconds,
                (row.reservations() - reservationsBefore) / seconds,
                (row.busyNanos() - busyBefore) / (double) (ends - begins),
                latencies.percentileNanos(50),
                latencies.percentileNanos(99),
                latencies.shareOver(SimulationResult.PATIENCE.toNanos()),
                tally.lostInCrash(),
                tally.inFlight(),
                dealt,
                (double) row.taken() / Math.max(1, dealt),
                tally.longestWaitNanos());
    }

    private Instance instance(int index) {
        SimulationPlan.Fleet fleet = plan.fleet();
        boolean besideTheRow = index % fleet.regions() == 0;
        long trip = besideTheRow ? 0 : fleet.roundTrip().toNanos() / 2;
        StoreTimes store = plan.store();
        long held = nanos(store.row());
        Link link = new Link(timeline, row, trip, nanos(store.reservation()) - held, held, nanos(store.read()));
        Rule rule = rule(plan.mode()).orElseThrow();
        return rule.of(this, link, callers(random.split()));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }

    private SimulatedCallers callers(SplittableRandom chance) {
        if (plan.demand() instanceof Demand.Rate rate) {
            return new Arrivals(rate.perSecond(), chance, latencies);
        }
        Demand.Threads threads = (Demand.Threads) plan.demand();
        long work = plan.work().toNanos();
        long spread = nanos(plan.store().reservation()) + work;
        return new LoopingCallers(
                threads.count(), plan.mode().drawsInTransaction() ? 0 : work, spread, chance, latencies);
    }

    /** Creates an instance that draws in one mode. */
    @FunctionalInterface
    private interface Rule {
        Instance of(Simulation simulation, Link link, SimulatedCallers callers);
    }

    /** Returns whether the mode can be simulated. */
    public static boolean knows(DrawMode mode) {
        return rule(mode).isPresent();
    }

    private static Optional<Rule> rule(DrawMode mode) {
        return switch (mode) {
            case SYNC ->
                Optional.of((simulation, link, callers) -> new TransactionalInstance(
                        link, callers, simulation.tally, simulation.workNanos(), simulation.mostTransactions()));
            case GROUPED ->
                Optional.of((simulation, link, callers) ->
                        new GroupingInstance(link, callers, simulation.tally, simulation.workNanos()));
            case ASYNC ->
                Optional.of((simulation, link, callers) -> new AsyncInstance(link, callers, simulation.tally));
            case COMBINED ->
                Optional.of((simulation, link, callers) -> new CombiningInstance(link, callers, simulation.tally));
            case CONFIRMED ->
                Optional.of((simulation, link, callers) -> new ConfirmingInstance(
                        link, callers, simulation.tally, new TenureSizing(Allocation.Confirmed.DEFAULT_MAX_BLOCK)));
            case BATCH -> Optional.of(fromBlocks(blocks -> new FixedSizing(blocks.size(), FixedSizing.NO_MARK)));
            case ASYNC_BATCH ->
                Optional.of(fromBlocks(blocks -> new FixedSizing(blocks.size(), blocks.lowWaterMark())));
            case ADAPTIVE -> Optional.of(fromBlocks(blocks -> new AdaptiveSizing(BOUNDS)));
            case POOLED -> Optional.empty(); // bounded by the engine's rows, which are not simulated
        };
    }

    private static Rule fromBlocks(Function<SimulationPlan.Blocks, Sizing> sizing) {
        return (simulation, link, callers) ->
                new BlockInstance(link, callers, simulation.tally, sizing.apply(simulation.plan.blocks()));
    }

    private long workNanos() {
        return plan.work().toNanos();
    }

    private int mostTransactions() {
        return plan.demand() instanceof Demand.Threads threads ? threads.count() : CONNECTIONS;
    }
}
