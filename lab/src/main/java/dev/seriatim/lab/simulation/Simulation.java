// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Simulates a scenario. Thread-safe.
 *
 * <p>What is simulated: the row, held by one transaction at a time in order of arrival; the way there and back; each
 * instance's part of the library, which decides when it reserves, how much, and whom that serves; and its callers. What is
 * not: processor time, failures, callers who lose patience (they are counted, and wait on), and limits of the database other than the row.
 */
public final class Simulation {

    /** Open transactions of an instance whose callers come at a rate: as many as HikariCP has connections by default. */
    private static final int CONNECTIONS = 10;

    private static final int FEWEST_LOOKS = 20;
    private static final int MOST_LOOKS = 500;
    private static final int HANDS_LOOKED_AT = 2_000_000;

    private final SimulationPlan scenario;
    private final SplittableRandom random;
    private final Timeline timeline = new Timeline();
    private final Row row = new Row(timeline);
    private final InHandTally tally = new InHandTally();
    private final Latencies latencies;
    private final long begins;
    private final long ends;

    private Simulation(SimulationPlan scenario) {
        this.scenario = scenario;
        random = new SplittableRandom(scenario.seed());
        begins = scenario.warmUp().toNanos();
        ends = begins + scenario.counted().toNanos();
        latencies = new Latencies(begins, ends);
    }

    /** What comes of it: the same for the same scenario, whenever and wherever. */
    public static SimulationResult of(SimulationPlan scenario) {
        return new Simulation(scenario).outcome();
    }

    private SimulationResult outcome() {
        SplittableRandom moments = random.split();
        List<Instance> instances = new ArrayList<>();
        for (int i = 0; i < scenario.fleet().instances(); i++) {
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
                tally.inFlight());
    }

    private Instance instance(int index) {
        SimulationPlan.Fleet fleet = scenario.fleet();
        boolean besideTheRow = index % fleet.regions() == 0;
        long trip = besideTheRow ? 0 : fleet.roundTrip().toNanos() / 2;
        Link link = new Link(timeline, row, trip, scenario.latency().toNanos());
        return instance(link, callers(random.split()));
    }

    private Callers callers(SplittableRandom chance) {
        if (scenario.demand() instanceof Demand.Rate rate) {
            return new Arrivals(rate.perSecond(), chance, latencies);
        }
        Demand.Threads threads = (Demand.Threads) scenario.demand();
        long work = scenario.work().toNanos();
        long spread = scenario.latency().toNanos() + work;
        return new LoopingCallers(
                threads.count(), scenario.mode().drawsInTransaction() ? 0 : work, spread, chance, latencies);
    }

    private Instance instance(Link link, Callers callers) {
        long work = scenario.work().toNanos();
        SimulationPlan.Blocks blocks = scenario.blocks();
        return switch (scenario.mode()) {
            case SYNC -> new InTransactions(link, callers, tally, work, mostTransactions());
            case GROUPED -> new InGroups(link, callers, tally, work);
            case ASYNC -> new InLine(link, callers, tally);
            case COMBINED -> new Together(link, callers, tally);
            case BATCH -> new FromBlocks(link, callers, tally, new FixedSizes(blocks.size(), Sizes.NO_MARK));
            case ASYNC_BATCH ->
                new FromBlocks(link, callers, tally, new FixedSizes(blocks.size(), blocks.lowWaterMark()));
            case ADAPTIVE -> new FromBlocks(link, callers, tally, new FollowingSizes());
            case POOLED -> throw new IllegalStateException("refused before");
        };
    }

    private int mostTransactions() {
        return scenario.demand() instanceof Demand.Threads threads ? threads.count() : CONNECTIONS;
    }
}
