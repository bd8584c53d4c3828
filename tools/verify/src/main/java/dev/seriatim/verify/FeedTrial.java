// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedReader;
import dev.seriatim.report.Value;
import dev.seriatim.verify.FeedLog.Reading;
import dev.seriatim.verify.Verdict.Checked;
import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.Count;
import dev.seriatim.verify.Verdict.End;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.Verdict.Subject;
import dev.seriatim.verify.worker.FeedProgram;
import dev.seriatim.verify.worker.FeedProgram.Order;
import dev.seriatim.verify.worker.FeedProgram.Role;
import dev.seriatim.verify.worker.FeedProgram.Tables;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A verification of feeds: processes write rows, stamp and read them, while faults are injected. Not thread-safe.
 *
 * <ol>
 *   <li>Runs two ways of polling that lose rows, until the checks find that.
 *   <li>Runs a feed and injects faults, until the time is over or the goals are reached.
 *   <li>Ends the faults and the writers, and waits until both readers are at the end.
 *   <li>Compares what they have read with the table.
 * </ol>
 */
final class FeedTrial {

    private static final long POLL_MILLIS = 100;
    private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);
    private static final int LONGEST_DELAY_MILLIS = 50;
    private static final String ROWS = "id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(40)";

    private final TrialPlan plan;
    private final AtomicBoolean stop;
    private final StatusLine progress;
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<Control> controls = new ArrayList<>();
    private final AtomicLong started = new AtomicLong();

    /** @param stop ends the trial early */
    FeedTrial(TrialPlan plan, AtomicBoolean stop, StatusLine progress) {
        this.plan = plan;
        this.stop = stop;
        this.progress = progress;
        leftOut.addAll(plan.leftOut());
    }

    /** Runs it, and removes what it has created. Throws like {@link Trial#run}. */
    Verdict run() throws InterruptedException {
        return Trial.run(plan, progress, this::verdict);
    }

    private Verdict verdict(Arena arena) throws InterruptedException {
        String rows = arena.addTable("rows", ROWS);
        Feed feed = arena.addFeed(rows);
        if (plan.controls()) {
            control(arena);
        }
        String effects = arena.addTable("effects", "position BIGINT NOT NULL, id BIGINT NOT NULL");
        Tables tables = new Tables(quote(arena, rows), feed.view(), feed.name(), quote(arena, effects));
        return new Run(arena, tables, feed).verdict();
    }

    private static String quote(Arena arena, String name) {
        return arena.tables().quote(name);
    }

    private Order order(Arena arena, Tables tables, Role role, String url, FeedLog log) {
        String product = arena.tables().store().dialect().product();
        return new Order(
                role,
                url,
                plan.longestAbsence().toMillis(),
                tables,
                started.incrementAndGet(),
                plan.load().threads(),
                arena.tables().store().hasOneWriter() ? 1 : LONGEST_DELAY_MILLIS,
                product.equals("MariaDB") || product.equals("MySQL"),
                log.last());
    }

    // Controls

    private void control(Arena arena) throws InterruptedException {
        Optional<String> identity = EngineSql.of(arena.tables().store()).identity();
        if (arena.tables().store().hasOneWriter() || identity.isEmpty()) {
            leftOut.add(new LeftOut("control IDENTITY", "one writer at a time commits in the order of its numbers"));
        } else {
            String table = quote(
                    arena,
                    arena.addTable(
                            "identity",
                            "position " + identity.get() + " PRIMARY KEY, id BIGINT NOT NULL, note VARCHAR(40)"));
            control(arena, "IDENTITY", "a column that the database numbers, polled", new Tables(table, table, "", ""));
        }
        String rows = quote(arena, arena.addTable("unlocked", ROWS));
        String positions = quote(
                arena,
                arena.addTable(
                        "positions", "position BIGINT NOT NULL, id BIGINT NOT NULL, PRIMARY KEY (id, position)"));
        control(arena, "UNLOCKED", "positions given without the feed's lock", new Tables(rows, positions, "", ""));
    }

    private void control(Arena arena, String name, String what, Tables tables) throws InterruptedException {
        long start = System.nanoTime();
        Reading found = null;
        for (int seconds = 2;
                !stop.get() && (found == null || found.violations().isEmpty());
                seconds *= 2) {
            if (seconds > ControlRuns.LONGEST.toSeconds()) {
                break;
            }
            progress.begin("control " + name, Duration.ZERO);
            found = control(arena, tables, Duration.ofSeconds(seconds));
        }
        if (found == null || (stop.get() && found.violations().isEmpty())) {
            leftOut.add(new LeftOut("control " + name, "stopped before"));
            return;
        }
        String example = found.violations().stream()
                .findFirst()
                .map(violation -> Value.text(violation.count()) + " × " + violation.kind().title + ", such as "
                        + violation.examples().get(0))
                .orElse(null);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        controls.add(new Control(name, what, example != null, example, found.rows(), took));
    }

    private Reading control(Arena arena, Tables tables, Duration time) throws InterruptedException {
        FeedLog log = new FeedLog(System.nanoTime());
        boolean stamped = !tables.polled().equals(tables.rows());
        List<Role> places = FeedCrew.places(
                Math.max(2, plan.load().processes()), role -> role != Role.READER && (stamped || role != Role.STAMPER));
        try (FeedCrew crew = new FeedCrew(log, places, (role, place) -> order(arena, tables, role, arena.url(), log))) {
            crew.start();
            for (long end = System.nanoTime() + time.toNanos(); System.nanoTime() < end && !stop.get(); ) {
                Thread.sleep(POLL_MILLIS);
                crew.checkAlive();
            }
            crew.stopWriters();
            String unstamped = "SELECT count(*) FROM " + tables.rows() + " t WHERE NOT EXISTS (SELECT 1 FROM "
                    + tables.polled() + " p WHERE p.id = t.id)";
            String last = "SELECT max(position) FROM " + tables.polled();
            await(
                    log::last,
                    () -> arena.tables().all(1, unstamped)[0] == 0
                            && log.last() >= arena.tables().all(1, last)[0]);
            crew.end();
        }
        return log.compare("poller", log.seen(), keys(arena, tables), false);
    }

    private static long[] keys(Arena arena, Tables tables) {
        return arena.tables().all(1, "SELECT id FROM " + tables.rows());
    }

    /** Waits as long as readers proceed, and then for a while. */
    private static void await(LongSupplier place, BooleanSupplier end) throws InterruptedException {
        long before = -1;
        long since = System.nanoTime();
        while (!end.getAsBoolean()) {
            if (place.getAsLong() != before) {
                before = place.getAsLong();
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > LONGEST_RECOVERY.toNanos()) {
                return; // what is not read by now is lost
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    // The feed

    private final class Run {

        private final Arena arena;
        private final Tables tables;
        private final Feed feed;
        private final long since = System.nanoTime();
        private final FeedLog log = new FeedLog(since);
        private Duration took = Duration.ZERO;

        // The last progress.
        private long before;
        private long progressAt = System.nanoTime();

        Run(Arena arena, Tables tables, Feed feed) {
            this.arena = arena;
            this.tables = tables;
            this.feed = feed;
        }

        Verdict verdict() throws InterruptedException {
            List<Role> places = FeedCrew.places(plan.load().processes(), role -> true);
            try (LinkSet links = LinkSet.open(plan, places.size());
                    FeedCrew crew = new FeedCrew(
                            log,
                            places,
                            (role, place) -> order(
                                    arena,
                                    tables,
                                    role,
                                    arena.url(links.isEmpty() ? plan.url(place) : links.url(place)),
                                    log));
                    FaultSchedule faults =
                            new FaultSchedule(plan, crew.kills(), crew::processes, crew::killed, links)) {
                return verdict(links, crew, faults);
            }
        }

        private Verdict verdict(LinkSet links, FeedCrew crew, FaultSchedule faults) throws InterruptedException {
            End end;
            String problem = "";
            try {
                end = run(links, crew, faults);
            } catch (SequenceException | IllegalStateException e) {
                end = End.FAILED;
                problem = links.toServers(String.valueOf(e.getMessage()));
                Trial.endEarly(plan, faults);
            }
            crew.end();
            List<Reading> readings = end == End.FAILED
                    ? List.of()
                    : List.of(
                            log.compare("poller", log.seen(), keys(arena, tables), true),
                            log.compare("reader", effects(), keys(arena, tables), true));
            List<Subject> subjects = new ArrayList<>();
            readings.forEach(reading -> subjects.add(new Subject(reading.reader(), reading.violations())));
            List<String> lasting = log.lasting().stream().map(links::toServers).toList();
            if (!lasting.isEmpty()) {
                subjects.add(
                        new Subject("calls", List.of(new Violation(Violation.Kind.FAILED, lasting.size(), lasting))));
            }
            boolean broken = subjects.stream().anyMatch(subject -> subject.broken() > 0);
            TrialPlan.Load load = plan.load();
            Checked checked = new Checked(
                    Value.counted(load.processes(), "process", "processes") + " with "
                            + Value.counted(load.threads(), "thread")
                            + " wrote, as many stamped and read, and one polled, for ",
                    "Both readers must read every committed row once, at the positions 1, 2, 3, …, in commit order.",
                    Value.counted(log.rows(), "row"),
                    subjects,
                    Reading.table(readings));
            return new Verdict(
                    plan,
                    arena + ", feed",
                    began,
                    took,
                    checked,
                    controls,
                    counts(links, faults),
                    failures(links),
                    leftOut,
                    broken ? End.VIOLATION : end,
                    problem,
                    "");
        }

        private End run(LinkSet links, FeedCrew crew, FaultSchedule faults) throws InterruptedException {
            if (stop.get()) {
                throw new IllegalStateException("it was stopped before the feed was tried");
            }
            progress.begin("writing and reading", plan.limits().longest());
            crew.start();
            faults.start();
            End end = null;
            while (end == null) {
                Thread.sleep(POLL_MILLIS);
                faults.checkAlive();
                crew.checkAlive();
                checkProgress();
                end = end(reached(links, crew, faults), faults);
            }
            took = Duration.ofNanos(System.nanoTime() - since);
            progress.begin("ending the faults", LONGEST_RECOVERY);
            faults.stop();
            crew.stopWriters();
            progress.begin("comparing", Duration.ZERO);
            FeedReader reader = feed.reader(FeedProgram.READER);
            await(
                    () -> log.last() + reader.position(),
                    () -> feed.state().waiting() == 0 && log.last() == feed.last() && reader.position() == feed.last());
            return end;
        }

        private void checkProgress() {
            long now = log.rows() + log.last();
            if (now > before) {
                before = now;
                progressAt = System.nanoTime();
            } else if (System.nanoTime() - progressAt > plan.longestAbsence().toNanos()) {
                throw new Unavailable(
                        "no row was written or read for "
                                + plan.longestAbsence().toSeconds() + " s; " + arena + " is unavailable, or hangs",
                        null);
            }
        }

        private @Nullable End end(Map<Goal, Long> reached, FaultSchedule faults) {
            Map<Goal, Long> open = new EnumMap<>(Goal.class);
            open.putAll(plan.limits().goals());
            open.entrySet().removeIf(goal -> reached.getOrDefault(goal.getKey(), 0L) >= goal.getValue());
            progress.show(
                    log.rows(), faults.counts().stream().mapToLong(Count::count).sum(), reached);
            if (log.isBroken()) {
                return End.VIOLATION;
            }
            if (stop.get()) {
                return End.STOPPED;
            }
            if (open.isEmpty() && !plan.limits().goals().isEmpty()) {
                return End.GOALS;
            }
            if (System.nanoTime() - since < plan.limits().longest().toNanos()) {
                return null;
            }
            open.forEach((goal, wanted) -> leftOut.add(
                    new LeftOut("goal " + goal, reached.getOrDefault(goal, 0L) + " of " + wanted + " in time")));
            return End.TIME;
        }

        private Map<Goal, Long> reached(LinkSet links, FeedCrew crew, FaultSchedule faults) {
            Map<Goal, Long> reached = new EnumMap<>(Goal.class);
            reached.put(Goal.ROWS, log.rows());
            reached.put(Goal.KILLS, crew.killed());
            reached.put(Goal.SERVER_KILLS, faults.serverKills());
            reached.put(Goal.LOST_ANSWERS, links.commitAnswersLost());
            return reached;
        }

        private long[] effects() {
            return arena.tables().all(2, "SELECT position, id FROM " + tables.effects() + " ORDER BY position");
        }

        private List<Count> counts(LinkSet links, FaultSchedule faults) {
            List<Count> counts = new ArrayList<>(faults.counts());
            counts.add(new Count("commit answers lost", links.commitAnswersLost()));
            counts.add(new Count("commits with an unknown outcome", log.unknown()));
            return counts;
        }

        private List<Count> failures(LinkSet links) {
            Map<String, Long> counts = new HashMap<>();
            log.failures().forEach((reason, count) -> counts.merge(links.toServers(reason), count, Long::sum));
            return counts.entrySet().stream()
                    .map(failure -> new Count(failure.getKey(), failure.getValue()))
                    .sorted(Comparator.comparingLong(Count::count).reversed())
                    .toList();
        }
    }
}
