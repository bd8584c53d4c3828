// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.Injector;
import dev.seriatim.verify.fault.LinkFaults;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.fault.ServerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The faults of a trial. Those of processes, of links and of the server are injected independently, so that they overlap. Thread-safe. */
final class FaultSchedule implements AutoCloseable {

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** If a goal counts the faults. */
    private static final Duration LONGEST_WITH_GOAL = Duration.ofMillis(200);

    /** The factor of pauses of a server, which needs time to start, and for draws. */
    private static final int PAUSE_OF_SERVER = 4;

    /** The share of faults that a goal counts. */
    private static final int SHARE_WITH_GOAL = 8;

    private final long seed;
    private final Map<Goal, Long> goals;
    private final List<Injector> injectors = new ArrayList<>();

    /** The names of the faults that end the server. */
    private final Set<String> serverKills = new HashSet<>();

    /** @param killing faults that kill a process of the crew */
    FaultSchedule(TrialPlan plan, WorkerCrew crew, List<InjectedFault> killing, LinkSet links) {
        seed = plan.faults().seed();
        goals = plan.limits().goals();
        Set<FaultKind> kinds = plan.faults().kinds();
        List<InjectedFault> kills = kinds.contains(FaultKind.KILL) ? killing : List.of();
        List<InjectedFault> stops =
                kinds.contains(FaultKind.STOP) ? List.of(ProcessFaults.stop(crew::processes)) : List.of();
        add("processes", kills, stops, 1, Goal.KILLS, crew::killed);
        if (!links.isEmpty()) {
            List<InjectedFault> others = EnumSet.complementOf(EnumSet.of(LinkFaults.LOSE_ANSWERS)).stream()
                    .map(fault -> fault.on(links.links()))
                    .toList();
            List<InjectedFault> losses = List.of(LinkFaults.LOSE_ANSWERS.on(links.links()));
            add("links", losses, others, 1, Goal.LOST_ANSWERS, links::commitAnswersLost);
        }
        List<InjectedFault> killsOfServer = new ArrayList<>(plan.faults().others());
        List<InjectedFault> stopsOfServer = new ArrayList<>();
        if (kinds.contains(FaultKind.SERVER)) {
            ServerCommand server = plan.faults().server().orElseThrow();
            killsOfServer.add(ProcessFaults.kill(server));
            stopsOfServer.add(ProcessFaults.stop(server));
        }
        killsOfServer.forEach(fault -> serverKills.add(fault.name()));
        add("server", killsOfServer, stopsOfServer, PAUSE_OF_SERVER, Goal.SERVER_KILLS, this::serverKills);
    }

    /**
     * Adds an injector, if there are faults.
     *
     * @param counted the faults that the goal counts
     * @param factor of the pauses
     * @param reached the count towards the goal
     */
    private void add(
            String name,
            List<InjectedFault> counted,
            List<InjectedFault> others,
            int factor,
            Goal goal,
            LongSupplier reached) {
        List<InjectedFault> faults = new ArrayList<>(others);
        boolean hasGoal = goals.containsKey(goal);
        counted.forEach(fault -> faults.addAll(Collections.nCopies(hasGoal ? SHARE_WITH_GOAL : 1, fault)));
        if (!faults.isEmpty()) {
            Duration longest = hasGoal ? LONGEST_WITH_GOAL : LONGEST;
            long wanted = goals.getOrDefault(goal, Long.MAX_VALUE);
            injectors.add(new Injector(
                    name,
                    seed + injectors.size(),
                    faults,
                    SHORTEST.multipliedBy(factor),
                    longest.multipliedBy(factor),
                    () -> reached.getAsLong() >= wanted));
        }
    }

    void start() {
        injectors.forEach(Injector::start);
    }

    /** Throws the failure that has ended an injector, if any. */
    void checkAlive() {
        injectors.forEach(Injector::checkAlive);
    }

    List<Count> counts() {
        return injectors.stream()
                .flatMap(injector -> injector.counts().entrySet().stream())
                .map(fault -> new Count(fault.getKey(), fault.getValue()))
                .toList();
    }

    /** Returns the number of faults that ended the server. */
    long serverKills() {
        return counts().stream()
                .filter(fault -> serverKills.contains(fault.what()))
                .mapToLong(Count::count)
                .sum();
    }

    /** Waits for the end of the current faults, and injects no other. */
    void stop() throws InterruptedException {
        for (Injector injector : injectors) {
            injector.stop();
        }
        checkAlive();
    }

    @Override
    public void close() {
        injectors.forEach(Injector::close);
    }
}
