// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.StopSignal;
import dev.seriatim.verify.arena.Arena;
import dev.seriatim.verify.arena.ArenaSequence;
import dev.seriatim.verify.control.ControlProgram;
import dev.seriatim.verify.fault.LinkTally;
import dev.seriatim.verify.verdict.ControlVerdict;
import dev.seriatim.verify.verdict.Harm;
import dev.seriatim.verify.verdict.LeftOut;
import dev.seriatim.verify.verdict.ModeVerdict;
import dev.seriatim.verify.verdict.Verdict;
import dev.seriatim.verify.verdict.Verdict.End;
import dev.seriatim.verify.verdict.Violation;
import dev.seriatim.verify.verdict.Violation.Kind;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.TurnShares;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.verify.worker.WorkerFolder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * One verification: processes draw in every mode at once, faults strike them, and everything that they draw is checked at once. It
 * ends with the first violation. Not thread-safe.
 *
 * <ol>
 *   <li>The server is started, if it is the plan's, and sequences are made apart from the user's.
 *   <li>Generators that break their promise draw, until the checks find each.
 *   <li>The modes draw and faults strike, until the time is over or the goals are reached.
 *   <li>Faults end; every thread must draw once more. The processes stop.
 *   <li>What was drawn is compared with what the store holds; everything is removed.
 * </ol>
 */
public final class Trial {

    private static final long LOOK_MILLIS = 200;
    private static final Duration BETWEEN_LEDGERS = Duration.ofSeconds(5);
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);

    /** Turns per second of a thread that draws from memory, so that it leaves the processor to others. */
    private static final int PACE_FROM_MEMORY = 2_000;

    /** Of a mode that draws from memory without a pace: each of them takes a processor from all others. */
    private static final int THREADS_IN_A_HURRY = 2;

    /** Turns per second of a thread whose goal is reached. */
    private static final int PACE_AFTERWARDS = 50;

    private static final int NUMBERS_AT_A_TIME = 10;
    private static final int THREADS_WITH_LARGE_RINGS = 4;
    private static final int SMALLEST_RING = 1024;
    private static final long BLOCK = 1_000;
    private static final long BLOCK_IN_A_HURRY = 100_000;

    /** Of failed draws, for the report. */
    private static final int MOST_REASONS = 10;

    private final TrialPlan plan;
    private final StopSignal stop;
    private final Consumer<Status> progress;
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final long origin = System.nanoTime();

    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<ControlVerdict> controls = new ArrayList<>();
    private final Map<Goal, Long> goals;
    private final Map<String, Watch> watches = new LinkedHashMap<>();
    private final Map<String, List<String>> brokenLedgers = new HashMap<>();
    private final Map<String, Long> looks = new HashMap<>();

    private String doing = "starting";
    private long doingSince = origin;
    private Duration doingLongest = Duration.ZERO;

    /**
     * Prepares one.
     *
     * @param stop ends it early
     * @param progress told now and then how far it is
     */
    public Trial(TrialPlan plan, StopSignal stop, Consumer<Status> progress) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        goals = new HashMap<>(plan.goals());
        leftOut.addAll(plan.leftOut());
    }

    /**
     * Runs it, and removes what it has made. What ends it early, and what cannot be removed, is in the verdict.
     *
     * @throws Misconfigured if it cannot be run with this store
     * @throws Unavailable if the store is away from the start
     */
    public Verdict run() throws InterruptedException {
        for (String url : plan.urls()) {
            Arena.onlyOneProcess(url).ifPresent(reason -> {
                throw new Misconfigured(reason);
            });
        }
        if (plan.server().isPresent()) {
            tell("starting the server", Duration.ZERO);
            plan.server().get().start();
        }
        Verdict verdict = null;
        try (Arena arena = Arena.open(plan.url(0), plan.modes(), plan.patience())) {
            arena.onlyOneProcess().ifPresent(reason -> {
                throw new Misconfigured(reason);
            });
            if (arena.offered().isEmpty()) {
                throw new Misconfigured(arena + " offers none of these modes; name others with --modes");
            }
            for (int place = 1; place < plan.urls().size(); place++) {
                arena.checkWay(plan.url(place));
            }
            arena.missing().forEach((mode, why) -> leftOut.add(new LeftOut("mode " + mode, why)));
            leaveOutGoals(arena);
            if (plan.controls()) {
                controls.addAll(new ControlRuns(
                                arena, plan.server(), plan.longestAbsence(), stop, what -> tell(what, Duration.ZERO))
                        .run(leftOut));
            }
            verdict = stop.isSet() ? notDrawn(arena) : draw(arena);
            tell("removing what was made", Duration.ZERO);
        } catch (SequenceException e) {
            if (verdict == null) {
                throw withLeft(e);
            }
            return verdict.withLeft(String.valueOf(e.getMessage()));
        }
        return verdict;
    }

    /** Leaves out what no mode leads to that is drawn in, since the trial would never end. */
    private void leaveOutGoals(Arena arena) {
        Set<Goal> led = EnumSet.of(Goal.KILLS, Goal.SERVER_KILLS, Goal.LOST_ANSWERS);
        arena.offered().keySet().forEach(mode -> led.add(goal(mode)));
        goals.keySet().removeIf(goal -> {
            boolean never = !led.contains(goal);
            if (never) {
                leftOut.add(new LeftOut("goal " + goal.word(), "no mode that is drawn in counts towards it"));
            }
            return never;
        });
        if (goals.isEmpty() && !plan.goals().isEmpty()) {
            throw new Misconfigured("no mode that is drawn in counts towards --until "
                    + plan.goals().keySet().stream().map(Goal::word).collect(Collectors.joining(", "))
                    + "; name other goals, or other modes with --modes");
        }
    }

    /** Returns a failure with what could not be removed after it. */
    private static SequenceException withLeft(SequenceException failure) {
        return failure.getSuppressed().length > 0 && failure.getSuppressed()[0] instanceof SequenceException left
                ? new Unavailable(failure.getMessage() + "; and " + left.getMessage(), failure)
                : failure;
    }

    /** Many threads have small rings, so that all fit in memory. */
    private int ringCapacity() {
        int share = Math.max(1, plan.threads() / THREADS_WITH_LARGE_RINGS);
        return Math.max(SMALLEST_RING, Integer.highestOneBit(DrawRing.DEFAULT_CAPACITY / share));
    }

    private Verdict notDrawn(Arena arena) {
        return new Verdict(
                plan.command(),
                arena.toString(),
                began,
                Duration.ZERO,
                plan.seed(),
                plan.processes(),
                plan.threads(),
                List.of(),
                controls,
                List.of(),
                List.of(),
                leftOut,
                End.FAILED,
                "it was stopped before the modes drew",
                "");
    }

    private Verdict draw(Arena arena) throws InterruptedException {
        for (ArenaSequence each : arena.offered().values()) {
            watches.put(each.generator(), new Watch(each, origin));
        }
        long drawingSince = System.nanoTime();
        try (LinkSet links = LinkSet.open(plan);
                WorkerFolder folder = WorkerFolder.open(ControlProgram.class, ringCapacity());
                RingReader reader = new RingReader();
                WorkerCrew crew = new WorkerCrew(
                        folder,
                        reader,
                        place -> arena.url(links.isEmpty() ? plan.url(place) : links.url(place)),
                        () -> orders(arena, reader),
                        watches,
                        plan.longestAbsence());
                FaultSchedule faults = FaultSchedule.of(plan, crew, links)) {
            Run run = new Run(arena, links, reader, crew, faults, drawingSince);
            return run.verdict();
        }
    }

    /** What draws, and strikes, at present. */
    private final class Run {

        private final Arena arena;
        private final LinkSet links;
        private final RingReader reader;
        private final WorkerCrew crew;
        private final FaultSchedule faults;
        private final long since;
        private final Map<String, List<String>> hung = new HashMap<>();
        private final Silence silence;

        Run(Arena arena, LinkSet links, RingReader reader, WorkerCrew crew, FaultSchedule faults, long since) {
            this.arena = arena;
            this.links = links;
            this.reader = reader;
            this.crew = crew;
            this.faults = faults;
            this.since = since;
            silence = new Silence(plan.longestAbsence(), arena, crew);
        }

        Verdict verdict() throws InterruptedException {
            End end;
            String problem = "";
            List<WorkerAccounts> accounts = List.of();
            Map<String, Judge.Ledger> ledgers = new HashMap<>();
            Map<String, Long> nexts = new HashMap<>();
            Duration took = Duration.ZERO;
            try {
                tell("drawing", plan.longest());
                crew.start(plan.processes());
                faults.start();
                end = drawUntilTheEnd();
                took = Duration.ofNanos(System.nanoTime() - since);
                tell("waiting for the last fault to end", LONGEST_RECOVERY);
                faults.stop();
                if (end != End.VIOLATION && !stop.isSet()) {
                    recover();
                }
                tell("comparing", Duration.ZERO);
                accounts = crew.stop();
                crew.kill();
                reader.awaitEnd();
                Judge judge = new Judge(arena);
                for (Watch watch : watches.values()) {
                    nexts.put(watch.sequence.generator(), arena.next(watch.sequence));
                    if (watch.sequence.hasLedger()) {
                        ledgers.put(watch.sequence.generator(), judge.ledger(watch));
                    }
                }
            } catch (SequenceException | IllegalStateException e) {
                end = End.FAILED;
                problem = String.valueOf(e.getMessage());
                endFaults();
                took = took.isZero() ? Duration.ofNanos(System.nanoTime() - since) : took;
                accounts = accounts.isEmpty() ? crew.accountsSoFar() : accounts;
                crew.kill();
                readTheRest();
            }
            return verdict(end, problem, took, accounts, ledgers, nexts);
        }

        /** Checks what the processes have still reported, unless the checks are what failed. */
        private void readTheRest() throws InterruptedException {
            try {
                reader.awaitEnd();
            } catch (IllegalStateException e) {
                // it ended the run
            }
        }

        /** Undoes what lasts, so that what was made can be removed; what cannot be undone is the reason of the failure. */
        private void endFaults() throws InterruptedException {
            try {
                faults.stop();
            } catch (SequenceException | IllegalStateException e) {
                // it ended the run
            }
            try {
                if (plan.server().isPresent() && !plan.server().get().isRunning()) {
                    plan.server().get().start();
                }
            } catch (SequenceException e) {
                // removing says what is left
            }
        }

        private End drawUntilTheEnd() throws InterruptedException {
            long nextLook = System.nanoTime() + BETWEEN_LEDGERS.toNanos();
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                reader.checkAlive();
                faults.checkAlive();
                String lastWords = crew.endedByItself();
                if (!lastWords.isEmpty()) {
                    throw new Unavailable("a process that draws has ended (" + lastWords + ")", null);
                }
                if (System.nanoTime() > nextLook) {
                    lookAtLedgers();
                    nextLook = System.nanoTime() + BETWEEN_LEDGERS.toNanos();
                }
                Map<Goal, Long> reached = reached();
                progress.accept(status(reached));
                silence.check(
                        reader.locked(() -> fromStore(watch -> watch.numbers)),
                        reader.locked(() -> fromStore(watch -> watch.unavailable)));
                if (violated()) {
                    return End.VIOLATION;
                }
                if (stop.isSet()) {
                    return End.STOPPED;
                }
                if (!goals.isEmpty()
                        && goals.entrySet().stream()
                                .allMatch(goal -> reached.getOrDefault(goal.getKey(), 0L) >= goal.getValue())) {
                    return End.GOALS;
                }
                if (System.nanoTime() - since > plan.longest().toNanos()) {
                    return goals.isEmpty() ? End.TIME : end(reached);
                }
            }
        }

        private End end(Map<Goal, Long> reached) {
            goals.forEach((goal, wanted) -> {
                long got = reached.getOrDefault(goal, 0L);
                if (got < wanted) {
                    leftOut.add(new LeftOut("goal " + goal.word(), got + " of " + wanted + " when the time was over"));
                }
            });
            return End.TIME;
        }

        private boolean violated() {
            boolean numbers = reader.locked(() -> watches.values().stream()
                    .anyMatch(watch -> !watch.violations().isEmpty()));
            return numbers || !brokenLedgers.isEmpty() || !crew.lasting().isEmpty();
        }

        private void lookAtLedgers() {
            Judge judge = new Judge(arena);
            for (Watch watch : watches.values()) {
                if (watch.sequence.hasLedger()) {
                    try {
                        Optional<String> wrong = judge.look(watch.sequence);
                        looks.merge(watch.sequence.generator(), 1L, Long::sum);
                        wrong.ifPresent(text -> brokenLedgers
                                .computeIfAbsent(watch.sequence.generator(), key -> new ArrayList<>())
                                .add(text));
                    } catch (Unavailable e) {
                        return; // its server is down at present
                    }
                }
            }
        }

        /**
         * Waits until every thread has drawn once more; who does not, hangs.
         *
         * @throws Unavailable if that cannot be seen, since the store is away for too long
         */
        private void recover() throws InterruptedException {
            tell("waiting for every thread to draw once more", LONGEST_RECOVERY);
            Recovery recovery = reader.locked(() -> new Recovery(reader.lanes()));
            long begin = System.nanoTime();
            while (!reader.locked(recovery::isOver) && !stop.isSet()) {
                long waited = System.nanoTime() - begin;
                List<ReadLane> hanging = reader.locked(recovery::hung);
                if (waited > LONGEST_RECOVERY.toNanos()
                        || (hanging.isEmpty() && waited > plan.longestAbsence().toNanos())) {
                    hanging.forEach(
                            lane -> hung.computeIfAbsent(lane.watch.sequence.generator(), key -> new ArrayList<>())
                                    .add(lane.name + ": no draw in " + LONGEST_RECOVERY.toSeconds()
                                            + " s after the last fault"));
                    List<ReadLane> away = reader.locked(recovery::withoutStore);
                    if (hanging.isEmpty() && !away.isEmpty()) {
                        throw unavailable(away, waited);
                    }
                    return;
                }
                Thread.sleep(LOOK_MILLIS / 10);
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

        private Verdict verdict(
                End end,
                String problem,
                Duration took,
                List<WorkerAccounts> accounts,
                Map<String, Judge.Ledger> ledgers,
                Map<String, Long> nexts) {
            List<ModeVerdict> modes = new ArrayList<>();
            Judge judge = new Judge(arena);
            for (Watch watch : watches.values()) {
                String generator = watch.sequence.generator();
                Judge.Ledger ledger = ledgers.get(generator);
                List<Violation> violations = new ArrayList<>(watch.violations());
                List<String> wrong = brokenLedgers.getOrDefault(generator, List.of());
                if (!wrong.isEmpty()) {
                    violations.add(new Violation(Kind.GAP, wrong.size(), wrong));
                }
                if (ledger != null) {
                    violations.addAll(ledger.violations());
                }
                Long next = nexts.get(generator);
                if (next != null) {
                    violations.addAll(judge.conservation(watch, next, accounts));
                }
                violations.addAll(failures(generator));
                List<String> hanging = hung.getOrDefault(generator, List.of());
                if (!hanging.isEmpty()) {
                    violations.add(new Violation(Kind.HUNG, hanging.size(), hanging));
                }
                modes.add(new ModeVerdict(
                        watch.sequence.mode(),
                        watch.numbers,
                        watch.unsure.size(),
                        watch.failed,
                        ledger == null ? null : ledger.rows(),
                        looks.getOrDefault(generator, 0L),
                        next,
                        violations));
            }
            boolean broken = modes.stream().anyMatch(mode -> mode.broken() > 0);
            return new Verdict(
                    plan.command(),
                    arena.toString(),
                    began,
                    took,
                    plan.seed(),
                    plan.processes(),
                    plan.threads(),
                    modes,
                    controls,
                    harms(),
                    reasons(accounts),
                    leftOut,
                    broken ? End.VIOLATION : end,
                    links.toServers(problem),
                    "");
        }

        private List<Violation> failures(String generator) {
            List<FailedDraws> failed = crew.lasting().stream()
                    .filter(each -> each.generator().equals(generator))
                    .toList();
            return failed.isEmpty()
                    ? List.of()
                    : List.of(new Violation(
                            Kind.FAILED,
                            failed.size(),
                            failed.stream()
                                    .map(each -> links.toServers(each.reason()))
                                    .distinct()
                                    .toList()));
        }

        private List<Harm> reasons(List<WorkerAccounts> accounts) {
            Map<String, Long> counts = new HashMap<>();
            accounts.forEach(each -> each.failures()
                    .forEach(failed -> counts.merge(
                            failed.generator() + ": " + links.toServers(failed.reason()), failed.count(), Long::sum)));
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_REASONS)
                    .map(reason -> new Harm(reason.getKey(), reason.getValue()))
                    .toList();
        }

        private List<Harm> harms() {
            List<Harm> harms = new ArrayList<>(faults.harms());
            links.tally().ifPresent(tally -> {
                harms.add(new Harm("commit answers lost", tally.commitAnswersLost()));
                harms.add(new Harm("other answers lost", tally.answersLost() - tally.commitAnswersLost()));
                harms.add(new Harm("single connections cut", tally.cut()));
            });
            return harms;
        }

        private Map<Goal, Long> reached() {
            Map<Goal, Long> reached = reader.locked(Trial.this::drawn);
            reached.put(Goal.KILLS, crew.killed());
            reached.put(Goal.SERVER_KILLS, faults.serverKills());
            reached.put(
                    Goal.LOST_ANSWERS,
                    links.tally().map(LinkTally::commitAnswersLost).orElse(0L));
            return reached;
        }

        private Status status(Map<Goal, Long> reached) {
            return new Status(
                    doing,
                    Duration.ofNanos(System.nanoTime() - doingSince),
                    doingLongest,
                    numbers(reader),
                    faults.harms(),
                    reached);
        }
    }

    private long numbers(RingReader reader) {
        return reader.locked(() ->
                watches.values().stream().mapToLong(watch -> watch.numbers).sum());
    }

    /** Adds a count up over the modes that ask the store for each number, or over all if none does; under the reader's lock. */
    private long fromStore(ToLongFunction<Watch> count) {
        boolean memoryOnly = watches.values().stream()
                .allMatch(watch -> watch.sequence.mode().dealsFromMemory());
        return watches.values().stream()
                .filter(watch -> memoryOnly || !watch.sequence.mode().dealsFromMemory())
                .mapToLong(count)
                .sum();
    }

    /** Returns how many numbers were drawn towards each goal; under the reader's lock. */
    private Map<Goal, Long> drawn() {
        Map<Goal, Long> drawn = new EnumMap<>(Goal.class);
        watches.values().forEach(watch -> drawn.merge(goal(watch.sequence.mode()), watch.numbers, Long::sum));
        return drawn;
    }

    private static Goal goal(DrawMode mode) {
        return mode.promise().gapless() ? Goal.GAPLESS : mode.promise().ordered() ? Goal.ORDERED : Goal.UNIQUE;
    }

    private Collection<LaneOrder> orders(Arena arena, RingReader reader) {
        Map<Goal, Long> drawn = reader.locked(this::drawn);
        List<LaneOrder> orders = new ArrayList<>();
        for (ArenaSequence each : arena.offered().values()) {
            Goal goal = goal(each.mode());
            Long wanted = plan.goals().get(goal);
            boolean memory = each.mode().dealsFromMemory();
            boolean hurry = wanted != null && drawn.getOrDefault(goal, 0L) < wanted;
            int pace = hurry ? 0 : wanted != null ? PACE_AFTERWARDS : memory ? PACE_FROM_MEMORY : 0;
            orders.add(new LaneOrder(
                    each.generator(),
                    each.sequence(),
                    each.ledger(),
                    memory && hurry ? Math.min(plan.threads(), THREADS_IN_A_HURRY) : plan.threads(),
                    pace,
                    NUMBERS_AT_A_TIME,
                    memory && hurry ? BLOCK_IN_A_HURRY : BLOCK,
                    TurnShares.USUAL));
        }
        return orders;
    }

    private void tell(String what, Duration longest) {
        doing = what;
        doingSince = System.nanoTime();
        doingLongest = longest;
        progress.accept(new Status(what, Duration.ZERO, longest, 0, List.of(), Map.of()));
    }
}
