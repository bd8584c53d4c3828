// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.option.EngineSql;
import dev.seriatim.report.Value;
import dev.seriatim.verify.Verdict.Checked;
import dev.seriatim.verify.Verdict.Control;
import dev.seriatim.verify.Verdict.LeftOut;
import dev.seriatim.verify.Verdict.Subject;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.FeedRole;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerFolder;
import dev.seriatim.verify.worker.WorkerProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A verification of feeds: processes write rows, stamp them, read them and poll them. At the end, the readers read the rest, and
 * what they have read is compared with the table. The controls are two ways of polling that lose rows.
 */
final class FeedTrial extends Trial {

    private static final int SHORTEST_CONTROL_SECONDS = 4;
    private static final int LONGEST_CONTROL_SECONDS = 32;
    private static final int LONGEST_DELAY_MILLIS = 50;
    private static final double ROLLED_BACK = 0.05;
    private static final String KEYED = "id BIGINT NOT NULL PRIMARY KEY";
    private static final String ENTRIES = "position BIGINT NOT NULL, id BIGINT NOT NULL";

    /** A poller must not store again what a killed one stores later than its successor looks. */
    static final String POLLED = ENTRIES + ", PRIMARY KEY (position, id)";

    private final List<FeedReading> readings = new ArrayList<>();
    private List<FeedRole> roles = List.of();
    private String rows = "";
    private String view = "";

    FeedTrial(TrialPlan plan, AtomicBoolean stop, StatusLine progress) {
        super(plan, stop, progress);
    }

    @Override
    void prepare(Arena arena) throws InterruptedException {
        rows = arena.addTable("rows", KEYED);
        view = arena.addFeed(rows);
        arena.addTable("rows" + FeedRole.READ, ENTRIES);
        arena.addTable("rows" + FeedRole.SEEN, POLLED);
        roles = roles(plan.load().processes(), FeedRole.WRITER, FeedRole.STAMPER, FeedRole.READER);
        if (!plan.controls() || stop.get()) {
            return;
        }
        if (arena.tables().store().hasOneWriter()) {
            leftOut.add(new LeftOut("control IDENTITY", "one writer at a time commits in the order of its numbers"));
        } else {
            String column = EngineSql.of(arena.tables().store()).identity().orElseThrow();
            String columns = "position " + column + " PRIMARY KEY, id BIGINT NOT NULL";
            control(arena, "identity", "numbers of the database, polled", columns, "", SHORTEST_CONTROL_SECONDS);
        }
        control(
                arena,
                "unlocked",
                "positions given without the feed's lock",
                KEYED,
                ENTRIES + ", PRIMARY KEY (id, position)",
                SHORTEST_CONTROL_SECONDS);
    }

    /** Returns several processes of each role, and one that polls. */
    private static List<FeedRole> roles(int each, FeedRole... several) {
        return Stream.concat(
                        Stream.of(several).flatMap(role -> Collections.nCopies(each, role).stream()),
                        Stream.of(FeedRole.POLLER))
                .toList();
    }

    private LaneOrder order(Arena arena, FeedRole role, String table, String polled) {
        return new LaneOrder(
                role.name(),
                table,
                polled,
                role == FeedRole.WRITER ? plan.load().threads() : 1,
                0,
                arena.tables().store().hasOneWriter() ? 2 : LONGEST_DELAY_MILLIS,
                1,
                new LaneOrder.Shares(ROLLED_BACK, 0, 0, 0));
    }

    private static void watch(Map<String, Watch> watches, List<FeedRole> roles, String table, long since) {
        for (FeedRole role : roles) {
            watches.put(role.name(), new Watch(new ArenaSequence(role.name(), DrawMode.BATCH, table, ""), since));
        }
    }

    private static Watch writer(Map<String, Watch> watches) {
        return Objects.requireNonNull(watches.get(FeedRole.WRITER.name()));
    }

    /** Does what is left of the roles' work. */
    private void finish(Arena arena, String table, String polled, List<FeedRole> works) throws InterruptedException {
        try {
            for (FeedRole role : works.stream().distinct().toList()) {
                FeedRole.Work work = role.work(arena.tables().store(), order(arena, role, table, polled));
                while (work.run() > 0) {
                    Thread.sleep(0);
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the rest cannot be read (" + e.getMessage() + ")", e);
        }
    }

    /** @param suffix of the table of what the reader has read */
    private FeedReading reading(Arena arena, String reader, String table, String suffix, Watch writer) {
        return FeedReading.of(
                reader,
                arena.tables().all(2, "SELECT position, id FROM " + table + suffix + " ORDER BY position"),
                arena.tables().all(1, "SELECT id FROM " + table),
                writer.commits,
                table.equals(rows));
    }

    /**
     * Runs a control, and if it loses nothing, such as on a busy machine, again for longer.
     *
     * @param positions the columns of the table of positions; empty if the table itself is polled
     */
    private void control(Arena arena, String name, String what, String columns, String positions, int seconds)
            throws InterruptedException {
        progress.begin("control " + name, Duration.ZERO);
        String suffix = name + seconds;
        String table = arena.addTable(suffix, columns);
        String polled = positions.isEmpty() ? table : arena.addTable(suffix + "_positions", positions);
        arena.addTable(suffix + FeedRole.SEEN, POLLED);
        int several = Math.max(2, plan.load().processes());
        List<FeedRole> all = positions.isEmpty()
                ? roles(several, FeedRole.WRITER)
                : roles(several, FeedRole.WRITER, FeedRole.UNLOCKED);
        long began = System.nanoTime();
        Map<String, Watch> watched = new HashMap<>();
        watch(watched, all, table, began);
        try (WorkerCrew crew = new WorkerCrew(
                WorkerFolder.open(WorkerProgram.class, DrawRing.DEFAULT_CAPACITY),
                place -> arena.url(),
                place -> List.of(order(arena, all.get(place), table, polled)),
                watched,
                plan.longestAbsence())) {
            crew.start(all.size());
            TimeUnit.SECONDS.sleep(seconds);
            crew.stop();
            crew.end();
        }
        finish(arena, table, polled, all);
        FeedReading found = reading(arena, "poller", table, FeedRole.SEEN, writer(watched));
        String example = found.violations().stream()
                .findFirst()
                .map(first -> Value.text(first.count()) + " × " + first.kind().title + ", such as "
                        + first.examples().get(0))
                .orElse(null);
        if (example == null && seconds < LONGEST_CONTROL_SECONDS && !stop.get()) {
            control(arena, name, what, columns, positions, 2 * seconds);
            return;
        }
        controls.add(new Control(
                name.toUpperCase(Locale.ROOT),
                what,
                example != null,
                example,
                found.rows(),
                Duration.ofNanos(System.nanoTime() - began)));
    }

    // The feed

    @Override
    int places() {
        return roles.size();
    }

    @Override
    void watch(Arena arena, long since) {
        watch(watches, roles, rows, since);
    }

    @Override
    Collection<LaneOrder> orders(Arena arena, int place) {
        return List.of(order(arena, roles.get(place), rows, view));
    }

    @Override
    List<InjectedFault> kills(WorkerCrew crew) {
        return roles.stream()
                .distinct()
                .map(role -> ProcessFaults.kill(
                        role.name().toLowerCase(Locale.ROOT) + " killed",
                        () -> crew.processes().subList(roles.indexOf(role), roles.lastIndexOf(role) + 1),
                        crew::replace))
                .toList();
    }

    @Override
    Map<Goal, Long> drawn() {
        return new EnumMap<>(Map.of(Goal.ROWS, writer(watches).numbers));
    }

    /** {@inheritDoc} A session of a killed process may commit a little later. */
    @Override
    void compare(Arena arena) throws InterruptedException {
        do {
            finish(arena, rows, view, roles);
            readings.clear();
            readings.add(reading(arena, "reader", rows, FeedRole.READ, writer(watches)));
            readings.add(reading(arena, "poller", rows, FeedRole.SEEN, writer(watches)));
        } while (arena.tables().all(1, "SELECT count(*) FROM " + rows)[0]
                > readings.get(0).rows());
    }

    @Override
    Checked checked(List<WorkerAccounts> accounts, Function<String, List<String>> lasting) {
        List<Subject> subjects = new ArrayList<>();
        watches.forEach((role, watch) -> subjects.add(new Subject(role, violations(watch, lasting))));
        readings.forEach(reading -> subjects.add(new Subject(reading.reader(), reading.violations())));
        TrialPlan.Load load = plan.load();
        return new Checked(
                Value.counted(load.processes(), "process", "processes") + " with "
                        + Value.counted(load.threads(), "thread")
                        + " wrote, as many stamped and read, and one polled, for ",
                "Both readers must read each committed row once, at the positions 1, 2, 3, …, in the order of the commits.",
                Value.counted(writer(watches).numbers, "row"),
                subjects,
                FeedReading.table(readings));
    }
}
