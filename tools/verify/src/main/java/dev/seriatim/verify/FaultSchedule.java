// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.FaultPlan;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.LinkFaults;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.fault.ServerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a trial. Those of processes, of links and of the server are injected independently, so that they overlap. Thread-safe.
 */
final class FaultSchedule implements AutoCloseable {

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** If a goal counts the faults. */
    private static final Duration LONGEST_WITH_GOAL = Duration.ofMillis(200);

    /** The factor of pauses of a server, which needs time to start, and for draws. */
    private static final int PAUSE_OF_SERVER = 4;

    /** The share of faults that a goal counts. */
    private static final int SHARE_WITH_GOAL = 8;

    private final List<Injector> injectors;
    private final @Nullable Injector ofServer;

    private FaultSchedule(List<Injector> injectors, @Nullable Injector ofServer) {
        this.injectors = injectors;
        this.ofServer = ofServer;
    }

    static FaultSchedule of(TrialPlan plan, WorkerCrew crew, LinkSet links) {
        List<Injector> injectors = new ArrayList<>();
        Map<Goal, Long> goals = plan.limits().goals();
        Set<FaultKind> kinds = plan.faults().kinds();
        long seed = plan.faults().seed();
        List<InjectedFault> ofProcesses = new ArrayList<>();
        if (kinds.contains(FaultKind.KILL)) {
            add(ofProcesses, ProcessFaults.kill(crew::processes, crew::replace), goals.containsKey(Goal.KILLS));
        }
        if (kinds.contains(FaultKind.STOP)) {
            ofProcesses.add(ProcessFaults.stop(crew::processes));
        }
        if (!ofProcesses.isEmpty()) {
            long kills = goals.getOrDefault(Goal.KILLS, Long.MAX_VALUE);
            injectors.add(new Injector(
                    "processes",
                    new FaultPlan(seed, ofProcesses, SHORTEST, longest(goals.containsKey(Goal.KILLS))),
                    injector -> crew.killed() >= kills));
        }
        if (!links.isEmpty()) {
            List<InjectedFault> ofLinks = new ArrayList<>();
            boolean counted = goals.containsKey(Goal.LOST_ANSWERS);
            for (LinkFaults fault : LinkFaults.values()) {
                add(ofLinks, fault.on(links.links(), links.protocol()), counted && fault == LinkFaults.LOSE_ANSWERS);
            }
            long lost = goals.getOrDefault(Goal.LOST_ANSWERS, Long.MAX_VALUE);
            injectors.add(new Injector(
                    "links",
                    new FaultPlan(seed + 1, ofLinks, SHORTEST, longest(counted)),
                    injector -> links.tally().orElseThrow().commitAnswersLost() >= lost));
        }
        boolean counted = goals.containsKey(Goal.SERVER_KILLS);
        List<InjectedFault> ofServers = new ArrayList<>();
        plan.faults().others().forEach(fault -> add(ofServers, fault, counted));
        if (kinds.contains(FaultKind.SERVER)) {
            ServerCommand server = plan.faults().server().orElseThrow();
            add(ofServers, ProcessFaults.kill(server), counted);
            ofServers.add(ProcessFaults.stop(server));
        }
        if (ofServers.isEmpty()) {
            return new FaultSchedule(injectors, null);
        }
        long kills = goals.getOrDefault(Goal.SERVER_KILLS, Long.MAX_VALUE);
        Injector ofServer = new Injector(
                "server",
                new FaultPlan(
                        seed + 2,
                        ofServers,
                        SHORTEST.multipliedBy(PAUSE_OF_SERVER),
                        longest(counted).multipliedBy(PAUSE_OF_SERVER)),
                injector -> kills(injector) >= kills);
        injectors.add(ofServer);
        return new FaultSchedule(injectors, ofServer);
    }

    /** Counts the faults that end the server; a suspended server continues. */
    private static long kills(Injector ofServer) {
        return ofServer.counts().stream()
                .filter(fault -> !fault.what().equals(ProcessFaults.SERVER_STOPPED))
                .mapToLong(Count::count)
                .sum();
    }

    private static void add(List<InjectedFault> faults, InjectedFault fault, boolean counted) {
        for (int i = 0; i < (counted ? SHARE_WITH_GOAL : 1); i++) {
            faults.add(fault);
        }
    }

    private static Duration longest(boolean counted) {
        return counted ? LONGEST_WITH_GOAL : LONGEST;
    }

    void start() {
        injectors.forEach(Injector::start);
    }

    /** Throws the failure that has ended an injector, if any. */
    void checkAlive() {
        injectors.forEach(Injector::checkAlive);
    }

    /** Returns the faults so far. */
    List<Count> counts() {
        return injectors.stream()
                .flatMap(injector -> injector.counts().stream())
                .toList();
    }

    /** Returns the number of kills of the server. */
    long serverKills() {
        return ofServer == null ? 0 : kills(ofServer);
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
