// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.verify.Verdict.Checked;
import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.Verdict.End;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.Verdict.Mode;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.fault.ServerCommand;
import dev.seriatim.verify.fault.TcpLink;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerFolder;
import dev.seriatim.verify.worker.WorkerProgram;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A verification: processes draw in every mode at once, faults are injected, and all draws are checked as they happen. Ends with the
 * first violation. Not thread-safe.
 *
 * <ol>
 *   <li>Starts the server, if the plan has one, and creates sequences apart from the user's.
 *   <li>Runs generators that break their promise, until the checks find each.
 *   <li>Draws in the modes and injects faults, until the time is over or the goals are reached.
 *   <li>Ends the faults, waits until every thread has drawn once more, and stops the processes.
 *   <li>Compares the draws with the store, and removes everything.
 * </ol>
 */
class Trial {

    private static final long POLL_MILLIS = 200;
    private static final Duration BETWEEN_LEDGERS = Duration.ofSeconds(5);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);

    /** Turns per second of a thread that draws from memory. It leaves the processor to others. */
    private static final int PACE_FROM_MEMORY = 2_000;

    /** Threads per unpaced mode that draws from memory. More would starve the other modes. */
    private static final int UNPACED_THREADS = 2;

    /** Turns per second of a thread whose goal is reached. */
    private static final int PACE_AFTERWARDS = 50;

    private static final int NUMBERS_AT_A_TIME = 10;
    private static final int THREADS_WITH_LARGE_RINGS = 4;
    private static final int SMALLEST_RING = 1024;
    private static final long BLOCK = 1_000;
    private static final long UNPACED_BLOCK = 100_000;
    private static final int MOST_REASONS = 10;

    final TrialPlan plan;
    final AtomicBoolean stop;
    final StatusLine progress;
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    final List<LeftOut> leftOut = new ArrayList<>();
    final List<Control> controls = new ArrayList<>();
    private final Map<Goal, Long> goals = new EnumMap<>(Goal.class);
    final Map<String, Watch> watches = new LinkedHashMap<>();

    /** @param stop ends the trial early */
    Trial(TrialPlan plan, AtomicBoolean stop, StatusLine progress) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        goals.putAll(plan.limits().goals());
        leftOut.addAll(plan.leftOut());
    }

    /** Runs it, and removes what it has created. The verdict has the reason of an early end, and what could not be removed. */
    Verdict run() throws InterruptedException {
        plan.urls().forEach(Arena::refuseOneProcess);
        if (plan.faults().server().isPresent()) {
            progress.begin("starting the server", Duration.ZERO);
            plan.faults().server().get().start();
        }
        Verdict verdict = null;
        try (Arena arena = Arena.open(plan.url(0), plan.modes(), plan.limits().patience())) {
            prepare(arena);
            verdict = draw(arena);
            progress.begin("cleaning up", Duration.ZERO);
        } catch (SequenceException e) {
            if (verdict == null) {
                throw withLeft(e);
            }
            return verdict.withLeft(String.valueOf(e.getMessage()));
        }
        return verdict;
    }

    /** Checks what the store offers, and runs the controls. */
    void prepare(Arena arena) throws InterruptedException {
        if (arena.offered().isEmpty()) {
            throw new Misconfigured(arena + " offers none of these modes; name others with --modes");
        }
        for (int place = 1; place < plan.urls().size(); place++) {
            arena.checkNode(plan.url(place));
        }
        arena.missing().forEach((mode, why) -> leftOut.add(new LeftOut("mode " + mode, why)));
        leaveOutGoals(arena);
        if (plan.controls()) {
            new ControlRuns(arena, plan, stop, progress).run(controls, leftOut);
        }
    }

    int places() {
        return plan.load().processes();
    }

    void watch(Arena arena, long since) {
        for (ArenaSequence each : arena.offered().values()) {
            watches.put(each.generator(), new Watch(each, since));
        }
    }

    List<InjectedFault> kills(WorkerCrew crew) {
        return List.of(ProcessFaults.kill("process killed", crew::processes, crew::replace));
    }

    /** Compares the store with the reports, after the last one. */
    void compare(Arena arena) throws InterruptedException {
        for (Watch watch : watches.values()) {
            watch.compare(arena);
        }
    }

    /** Leaves out goals towards which no mode counts, because the trial would never end. */
    private void leaveOutGoals(Arena arena) {
        Set<Goal> led = arena.offered().keySet().stream().map(Goal::of).collect(Collectors.toSet());
        for (Goal goal : plan.limits().goals().keySet()) {
            if (goal.fault == null && !led.contains(goal)) {
                leftOut.add(new LeftOut("goal " + goal, "no mode counts towards it"));
                goals.remove(goal);
            }
        }
        if (goals.isEmpty() && !plan.limits().goals().isEmpty()) {
            throw new Misconfigured("no mode of this run counts towards --until "
                    + plan.limits().goals().keySet().stream()
                            .map(Goal::toString)
                            .collect(Collectors.joining(", "))
                    + "; name other goals, or other modes with --modes");
        }
    }

    /** Appends to a failure what could not be removed after it. */
    private static SequenceException withLeft(SequenceException failure) {
        return failure.getSuppressed().length > 0 && failure.getSuppressed()[0] instanceof SequenceException left
                ? new Unavailable(failure.getMessage() + "; and " + left.getMessage(), failure)
                : failure;
    }

    /** Many threads have small rings, so that all fit in memory. */
    private int ringCapacity() {
        int share = Math.max(1, plan.load().threads() / THREADS_WITH_LARGE_RINGS);
        return Math.max(SMALLEST_RING, Integer.highestOneBit(DrawRing.DEFAULT_CAPACITY / share));
    }

    private Verdict draw(Arena arena) throws InterruptedException {
        long since = System.nanoTime();
        watch(arena, since);
        try (LinkSet links = LinkSet.open(plan, places());
                WorkerCrew crew = new WorkerCrew(
                        WorkerFolder.open(WorkerProgram.class, ringCapacity()),
                        place -> arena.url(links.isEmpty() ? plan.url(place) : links.url(place)),
                        place -> orders(arena, place),
                        watches,
                        plan.longestAbsence());
                FaultSchedule faults = new FaultSchedule(plan, crew, kills(crew), links)) {
            return new Drawing(arena, links, crew, faults, since).verdict();
        }
    }

    private final class Drawing {

        private final Arena arena;
        private final LinkSet links;
        private final RingReader reader;
        private final WorkerCrew crew;
        private final FaultSchedule faults;
        private final long since;
        private Duration took = Duration.ZERO;
        private List<WorkerAccounts> accounts = List.of();

        Drawing(Arena arena, LinkSet links, WorkerCrew crew, FaultSchedule faults, long since) {
            this.arena = arena;
            this.links = links;
            this.reader = crew.reader;
            this.crew = crew;
            this.faults = faults;
            this.since = since;
        }

        Verdict verdict() throws InterruptedException {
            End end;
            String problem = "";
            try {
                end = drawAndCompare();
            } catch (SequenceException | IllegalStateException e) {
                end = End.FAILED;
                problem = links.toServers(String.valueOf(e.getMessage()));
                endEarly();
            }
            Checked checked = checked(
                    accounts,
                    generator -> crew.lasting().stream()
                            .filter(each -> each.generator().equals(generator))
                            .map(each -> links.toServers(each.reason()))
                            .distinct()
                            .toList());
            return new Verdict(
                    plan,
                    arena.toString(),
                    began,
                    took,
                    checked,
                    controls,
                    faults(),
                    reasons(),
                    leftOut,
                    checked.broken() > 0 ? End.VIOLATION : end,
                    problem,
                    "");
        }

        private End drawAndCompare() throws InterruptedException {
            if (stop.get()) {
                throw new IllegalStateException("it was stopped before the modes drew");
            }
            progress.begin("drawing", plan.limits().longest());
            crew.start(places());
            faults.start();
            End end = drawUntilTheEnd();
            took = Duration.ofNanos(System.nanoTime() - since);
            progress.begin("ending the faults", LONGEST_RECOVERY);
            faults.stop();
            if (end != End.VIOLATION && !stop.get()) {
                recover();
            }
            progress.begin("comparing", Duration.ZERO);
            accounts = crew.stop();
            crew.end();
            compare(arena);
            return end;
        }

        /** Undoes lasting faults, so that everything can be removed, and checks the remaining reports. */
        private void endEarly() throws InterruptedException {
            try {
                faults.stop();
            } catch (SequenceException | IllegalStateException e) {
                // this ended the run
            }
            try {
                Optional<ServerCommand> server = plan.faults().server();
                if (server.isPresent() && !server.get().isRunning()) {
                    server.get().start();
                }
            } catch (SequenceException e) {
                // the removal reports what is left
            }
            took = took.isZero() ? Duration.ofNanos(System.nanoTime() - since) : took;
            accounts = accounts.isEmpty() ? crew.accountsSoFar() : accounts;
            try {
                crew.end();
            } catch (IllegalStateException e) {
                // this ended the run
            }
        }

        private End drawUntilTheEnd() throws InterruptedException {
            long nextLook = System.nanoTime() + BETWEEN_LEDGERS.toNanos();
            while (true) {
                Thread.sleep(POLL_MILLIS);
                faults.checkAlive();
                crew.check(arena);
                if (System.nanoTime() > nextLook) {
                    watches.values().forEach(watch -> watch.look(arena));
                    nextLook = System.nanoTime() + BETWEEN_LEDGERS.toNanos();
                }
                Map<Goal, Long> reached = reached();
                progress.show(
                        reader.locked(() -> watches.values().stream()
                                .mapToLong(watch -> watch.numbers)
                                .sum()),
                        faults.counts().stream().mapToLong(Count::count).sum(),
                        reached);
                if (violated()) {
                    return End.VIOLATION;
                }
                if (stop.get()) {
                    return End.STOPPED;
                }
                Map<Goal, Long> open = new EnumMap<>(goals);
                open.entrySet().removeIf(goal -> reached.getOrDefault(goal.getKey(), 0L) >= goal.getValue());
                if (open.isEmpty() && !goals.isEmpty()) {
                    return End.GOALS;
                }
                if (System.nanoTime() - since > plan.limits().longest().toNanos()) {
                    open.forEach((goal, wanted) -> leftOut.add(new LeftOut(
                            "goal " + goal,
                            reached.getOrDefault(goal, 0L) + " of " + wanted + " when the time was over")));
                    return End.TIME;
                }
            }
        }

        private boolean violated() {
            boolean numbers = reader.locked(() -> watches.values().stream()
                    .anyMatch(watch -> !watch.violations().isEmpty()));
            return numbers || !crew.lasting().isEmpty();
        }

        /** Waits until every thread has drawn once more. A thread that does not draw hangs, unless the store is unavailable. */
        private void recover() throws InterruptedException {
            progress.begin("recovering", LONGEST_RECOVERY);
            ReadLane.Recovery recovery = reader.locked(() -> new ReadLane.Recovery(reader.lanes()));
            long begin = System.nanoTime();
            while (!reader.locked(recovery::isOver) && !stop.get()) {
                long waited = System.nanoTime() - begin;
                List<ReadLane> hanging = reader.locked(recovery::hung);
                if (waited > LONGEST_RECOVERY.toNanos()
                        || (hanging.isEmpty() && waited > plan.longestAbsence().toNanos())) {
                    hanging.forEach(lane -> lane.watch.hung.add(
                            lane.name + ": no draw in " + LONGEST_RECOVERY.toSeconds() + " s after the last fault"));
                    List<ReadLane> waiting = reader.locked(recovery::withoutStore);
                    if (hanging.isEmpty() && !waiting.isEmpty()) {
                        throw unavailable(waiting, waited);
                    }
                    return;
                }
                Thread.sleep(POLL_MILLIS / 10);
                reader.checkAlive();
            }
        }

        private Unavailable unavailable(List<ReadLane> lanes, long nanos) throws InterruptedException {
            Set<String> generators = lanes.stream()
                    .map(lane -> lane.watch.sequence.generator())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            return new Unavailable(
                    String.join(", ", generators) + " did not draw once more in "
                            + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s: "
                            + crew.lastReason(generators::contains),
                    null);
        }

        private List<Count> reasons() {
            Map<String, Long> counts = new HashMap<>();
            accounts.forEach(each -> each.failures()
                    .forEach(failed -> counts.merge(
                            failed.generator() + ": " + links.toServers(failed.reason()), failed.count(), Long::sum)));
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_REASONS)
                    .map(reason -> new Count(reason.getKey(), reason.getValue()))
                    .toList();
        }

        private List<Count> faults() {
            List<Count> counts = new ArrayList<>(faults.counts());
            if (!links.isEmpty()) {
                long commits = links.commitAnswersLost();
                counts.add(new Count("commit answers lost", commits));
                counts.add(new Count("other answers lost", links.sum(TcpLink.Tally::answersLost) - commits));
                counts.add(new Count("single connections cut", links.sum(TcpLink.Tally::cut)));
            }
            return counts;
        }

        private Map<Goal, Long> reached() {
            Map<Goal, Long> reached = reader.locked(Trial.this::drawn);
            reached.put(Goal.KILLS, crew.killed());
            reached.put(Goal.SERVER_KILLS, faults.serverKills());
            reached.put(Goal.LOST_ANSWERS, links.commitAnswersLost());
            return reached;
        }
    }

    /** Returns the result. {@code lasting} returns the failures of a generator that an unavailable store does not explain. */
    Checked checked(List<WorkerAccounts> accounts, Function<String, List<String>> lasting) {
        return Mode.checked(
                plan.load(),
                watches.values().stream()
                        .map(watch -> {
                            List<Violation> violations = violations(watch, lasting);
                            violations.addAll(watch.conservation(accounts));
                            return new Mode(
                                    watch.sequence.mode(),
                                    watch.numbers,
                                    watch.unsure.size(),
                                    watch.failed,
                                    watch.committed,
                                    watch.next,
                                    violations);
                        })
                        .toList());
    }

    static List<Violation> violations(Watch watch, Function<String, List<String>> lasting) {
        List<Violation> violations = new ArrayList<>(watch.violations());
        List<String> failed = lasting.apply(watch.sequence.generator());
        if (!failed.isEmpty()) {
            violations.add(new Violation(Kind.FAILED, failed.size(), failed));
        }
        return violations;
    }

    /** Returns the numbers drawn towards each goal. Needs the reader's lock. */
    Map<Goal, Long> drawn() {
        Map<Goal, Long> drawn = new EnumMap<>(Goal.class);
        watches.values().forEach(watch -> drawn.merge(Goal.of(watch.sequence.mode()), watch.numbers, Long::sum));
        return drawn;
    }

    /** Returns the orders for a process that starts now at a place. Needs the reader's lock. */
    Collection<LaneOrder> orders(Arena arena, int place) {
        Map<Goal, Long> drawn = drawn();
        int threads = plan.load().threads();
        List<LaneOrder> orders = new ArrayList<>();
        for (ArenaSequence each : arena.offered().values()) {
            Goal goal = Goal.of(each.mode());
            Long wanted = plan.limits().goals().get(goal);
            boolean memory = each.mode().dealsFromMemory();
            boolean unpaced = wanted != null && drawn.getOrDefault(goal, 0L) < wanted;
            int pace = unpaced ? 0 : wanted != null ? PACE_AFTERWARDS : memory ? PACE_FROM_MEMORY : 0;
            orders.add(new LaneOrder(
                    each.generator(),
                    each.sequence(),
                    each.ledger(),
                    memory && unpaced ? Math.min(threads, UNPACED_THREADS) : threads,
                    pace,
                    NUMBERS_AT_A_TIME,
                    memory && unpaced ? UNPACED_BLOCK : BLOCK,
                    LaneOrder.Shares.USUAL));
        }
        return orders;
    }
}
