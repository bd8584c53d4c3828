// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.FaultPlan;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.LinkFaults;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.fault.ServerCommand;
import dev.seriatim.verify.fault.ServerFaults;
import dev.seriatim.verify.fault.TcpLink;
import dev.seriatim.verify.verdict.Harm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a trial: those of processes, of links and of the server strike independently of each other, so that they overlap.
 * Thread-safe.
 */
final class FaultSchedule implements AutoCloseable {

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration LONGEST_IN_A_HURRY = Duration.ofMillis(200);

    /** A server needs time to come up, and processes to draw from it. */
    private static final int RARER = 4;

    /** What a goal counts strikes more often. */
    private static final int MORE_OFTEN = 8;

    private final List<Injector> injectors;
    private final @Nullable Injector ofServer;

    private FaultSchedule(List<Injector> injectors, @Nullable Injector ofServer) {
        this.injectors = injectors;
        this.ofServer = ofServer;
    }

    static FaultSchedule of(TrialPlan plan, WorkerCrew crew, LinkSet links) {
        List<Injector> injectors = new ArrayList<>();
        Map<Goal, Long> goals = plan.goals();
        List<InjectedFault> ofProcesses = new ArrayList<>();
        if (plan.faults().contains(FaultKind.KILL)) {
            add(ofProcesses, ProcessFaults.kill(crew), goals.containsKey(Goal.KILLS));
        }
        if (plan.faults().contains(FaultKind.STOP)) {
            ofProcesses.add(ProcessFaults.stop(crew));
        }
        if (!ofProcesses.isEmpty()) {
            long kills = goals.getOrDefault(Goal.KILLS, Long.MAX_VALUE);
            injectors.add(new Injector(
                    "processes",
                    new FaultPlan(plan.seed(), ofProcesses, SHORTEST, longest(goals.containsKey(Goal.KILLS))),
                    injector -> crew.killed() >= kills));
        }
        if (!links.isEmpty()) {
            List<InjectedFault> ofLinks = new ArrayList<>();
            boolean often = goals.containsKey(Goal.LOST_ANSWERS);
            for (LinkFaults fault : LinkFaults.values()) {
                add(ofLinks, new OnAny(fault, links), often && fault == LinkFaults.LOSE_ANSWERS);
            }
            long lost = goals.getOrDefault(Goal.LOST_ANSWERS, Long.MAX_VALUE);
            injectors.add(new Injector(
                    "links",
                    new FaultPlan(plan.seed() + 1, ofLinks, SHORTEST, longest(often)),
                    injector -> links.tally().orElseThrow().commitAnswersLost() >= lost));
        }
        boolean hurry = goals.containsKey(Goal.SERVER_KILLS);
        List<InjectedFault> ofServers = new ArrayList<>();
        plan.others().forEach(fault -> add(ofServers, fault, hurry));
        if (plan.faults().contains(FaultKind.SERVER)) {
            ServerCommand server = plan.server().orElseThrow();
            add(ofServers, ServerFaults.kill(server), hurry);
            ofServers.add(ServerFaults.stop(server));
        }
        if (ofServers.isEmpty()) {
            return new FaultSchedule(injectors, null);
        }
        long kills = goals.getOrDefault(Goal.SERVER_KILLS, Long.MAX_VALUE);
        Injector ofServer = new Injector(
                "server",
                new FaultPlan(
                        plan.seed() + 2,
                        ofServers,
                        SHORTEST.multipliedBy(RARER),
                        longest(hurry).multipliedBy(RARER)),
                injector -> kills(injector) >= kills);
        injectors.add(ofServer);
        return new FaultSchedule(injectors, ofServer);
    }

    /** Counts what takes a server down; a server that is stopped goes on. */
    private static long kills(Injector ofServer) {
        return ofServer.harms().stream()
                .filter(harm -> !harm.what().equals(ServerFaults.STOPPED))
                .mapToLong(Harm::count)
                .sum();
    }

    private static void add(List<InjectedFault> faults, InjectedFault fault, boolean often) {
        for (int i = 0; i < (often ? MORE_OFTEN : 1); i++) {
            faults.add(fault);
        }
    }

    private static Duration longest(boolean hurry) {
        return hurry ? LONGEST_IN_A_HURRY : LONGEST;
    }

    void start() {
        injectors.forEach(Injector::start);
    }

    /** Throws what has ended an injector, if anything has. */
    void checkAlive() {
        injectors.forEach(Injector::checkAlive);
    }

    /** Returns what has struck so far. */
    List<Harm> harms() {
        return injectors.stream().flatMap(injector -> injector.harms().stream()).toList();
    }

    /** Returns how often the server was killed. */
    long serverKills() {
        return ofServer == null ? 0 : kills(ofServer);
    }

    /** Lets the faults that last end, and no other strike. */
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

    /** A fault of one link at a time, whichever the dice say. */
    private record OnAny(LinkFaults fault, LinkSet links) implements InjectedFault {

        @Override
        public FaultKind kind() {
            return FaultKind.LINK;
        }

        @Override
        public String name() {
            return one(0).name();
        }

        private InjectedFault one(int place) {
            TcpLink link = links.links().get(place);
            return fault.on(link, links.protocol());
        }

        @Override
        public void strike(RandomGenerator dice) throws InterruptedException {
            one(dice.nextInt(links.links().size())).strike(dice);
        }
    }
}
