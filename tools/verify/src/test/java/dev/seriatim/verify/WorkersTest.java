// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import dev.seriatim.verify.RingPump.Drawn;
import dev.seriatim.verify.fault.ChildProcesses;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerAccounts;
import dev.seriatim.verify.worker.WorkerAccounts.FailedDraws;
import dev.seriatim.verify.worker.WorkerFolder;
import dev.seriatim.verify.worker.WorkerProcess;
import dev.seriatim.verify.worker.WorkerProcess.Lane;
import dev.seriatim.verify.worker.WorkerProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@Tag("long")
class WorkersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long ENOUGH_SECONDS = 40;
    private static final LaneOrder.Shares MANY = new LaneOrder.Shares(0.1, 0.05, 0.02, 0.01);

    @TempDir
    private Path temporary;

    private final List<FailedDraws> lasting = Collections.synchronizedList(new ArrayList<>());
    private final WorkerFolder folder = WorkerFolder.open(WorkerProgram.class, 1024);
    private final RingPump pump = new RingPump();
    private final List<WorkerProcess> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        started.forEach(WorkerProcess::kill);
        pump.end();
        folder.close();
    }

    private WorkerProcess start(String url, LaneOrder... orders) throws Exception {
        return start(url, List.of(orders), pump::add);
    }

    private WorkerProcess start(String url, Collection<LaneOrder> orders, Consumer<Lane> first) throws Exception {
        WorkerProcess worker = folder.start(lasting::add);
        started.add(worker);
        worker.begin(url, PATIENCE, orders, first).get(ENOUGH_SECONDS, TimeUnit.SECONDS);
        return worker;
    }

    private static LaneOrder[] orders(Arena arena) {
        return arena.offered().values().stream()
                .map(each -> order(each, 2, each.mode().dealsFromMemory() ? 1_000 : 0, MANY))
                .toArray(LaneOrder[]::new);
    }

    private static LaneOrder order(ArenaSequence of, int threads, int pace, LaneOrder.Shares shares) {
        return new LaneOrder(of.mode().name(), of.sequence(), of.ledger(), threads, pace, 10, 1_000, shares);
    }

    private static Set<String> names(Arena arena) {
        return arena.offered().keySet().stream().map(DrawMode::name).collect(Collectors.toSet());
    }

    private String url(String store) {
        return switch (store) {
            case "sqlite" -> "sqlite:" + temporary.resolve("numbers.db");
            case "postgresql" -> Engine.POSTGRESQL.freshDatabase().url();
            case "mariadb" -> Engine.MARIADB.freshDatabase().url();
            default -> throw new IllegalArgumentException(store);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql", "mariadb"})
    void every_mode_is_drawn_from_and_every_number_is_accounted_for(String store) throws Exception {
        drawInEveryMode(url(store));
    }

    @Test
    @Tag("long")
    void the_same_over_a_server_of_h2() throws Exception {
        try (Server server = Server.h2()) {
            drawInEveryMode(server.freshDatabase().url());
        }
    }

    private void drawInEveryMode(String url) throws Exception {
        try (Arena arena = Arena.open(url, List.of(DrawMode.values()), PATIENCE)) {
            List<WorkerProcess> workers = List.of(start(arena.url(), orders(arena)), start(arena.url(), orders(arena)));
            pump.await(() -> pump.fewest(names(arena)) >= 100);
            for (WorkerProcess worker : workers) {
                worker.stop().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
            }
            pump.awaitEnd();
            assertThat(lasting).isEmpty();
            for (WorkerProcess worker : workers) {
                WorkerAccounts accounts = worker.accounts().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
                assertThat(accounts.generators()).containsOnlyKeys(names(arena));
                accounts.generators().forEach((generator, account) -> {
                    if (!DrawMode.valueOf(generator).drawsInTransaction() && account.unknown() == 0) {
                        assertThat(account.reserved() - account.dealt() - account.lost() - account.givenBack())
                                .as(generator + " " + account)
                                .isZero();
                        assertThat(account.reserved()).isPositive();
                    }
                });
            }
            for (ArenaSequence each : arena.offered().values()) {
                check(arena, each);
            }
            for (WorkerProcess worker : workers) {
                worker.close();
                worker.ended().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
                assertThat(worker.lastMessage()).isEmpty();
            }
        }
    }

    private void check(Arena arena, ArenaSequence each) {
        Drawn drawn = pump.of(each.mode().name());
        assertThat(drawn.repeated).as(each.mode() + " repeated").isZero();
        assertThat(Collections.max(drawn.numbers)).isLessThan(arena.next(each));
        if (each.hasLedger()) {
            Set<Long> stored = new TreeSet<>();
            assertThat(arena.tables().ledger(each, stored::add)).isEqualTo(stored.size());
            assertThat(arena.tables().state(each).looksGapless())
                    .as(arena.tables().state(each).toString())
                    .isTrue();
            Set<Long> acknowledged = new TreeSet<>(drawn.numbers);
            assertThat(stored).as(each.mode() + " lost").containsAll(acknowledged);
            acknowledged.addAll(drawn.unsure);
            assertThat(acknowledged).as(each.mode() + " not reported").containsAll(stored);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgresql", "mariadb"})
    void what_a_killed_worker_has_acknowledged_is_all_there(String store) throws Exception {
        try (Arena arena = Arena.open(
                url(store), List.of(DrawMode.SYNC, DrawMode.GROUPED, DrawMode.POOLED, DrawMode.ADAPTIVE), PATIENCE)) {
            for (int kills = 1; kills <= 3; kills++) {
                WorkerProcess worker = start(arena.url(), orders(arena));
                long enough = 30L * kills;
                pump.await(() -> pump.fewest(names(arena)) >= enough);
                worker.kill();
                assertThat(worker.ended()).isDone();
                pump.awaitEnd(); // also the lanes of a worker that was killed
            }
            assertThat(lasting).isEmpty();
            for (ArenaSequence each : arena.offered().values()) {
                Drawn drawn = pump.of(each.mode().name());
                assertThat(drawn.repeated).isZero();
                if (each.hasLedger()) {
                    Set<Long> stored = new TreeSet<>();
                    arena.tables().ledger(each, stored::add);
                    assertThat(stored).as(each.mode() + " lost").containsAll(drawn.numbers);
                    awaitGapless(arena, each); // its sessions may end a little later
                }
            }
        }
    }

    private static void awaitGapless(Arena arena, ArenaSequence of) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!arena.tables().state(of).looksGapless()) {
            assertThat(System.nanoTime() - end)
                    .as(of + ": " + arena.tables().state(of))
                    .isNegative();
            Thread.sleep(20);
        }
    }

    @Test
    void a_stopped_worker_goes_on_where_it_was() throws Exception {
        try (Arena arena = Arena.open(url("sqlite"), List.of(DrawMode.ASYNC), PATIENCE)) {
            List<DrawRing> rings = new ArrayList<>();
            ArenaSequence sequence = arena.offered().get(DrawMode.ASYNC);
            assertThat(sequence).isNotNull();
            WorkerProcess worker = start(arena.url(), List.of(order(sequence, 1, 0, MANY)), lane -> {
                rings.add(lane.ring());
                pump.add(lane);
            });
            pump.await(() -> pump.fewest(names(arena)) >= 20);
            ChildProcesses.suspend(List.of(worker.handle()));
            DrawRing ring = rings.get(0);
            long written = ring.written();
            while (written != (written = ring.written())) {
                Thread.sleep(20);
            }
            assertThat(worker.handle().isAlive()).isTrue();
            ChildProcesses.resume(List.of(worker.handle()));
            long before = written;
            pump.await(() -> ring.written() >= before + 20);
            worker.stop().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
            pump.awaitEnd();
            assertThat(pump.of("ASYNC").repeated).isZero();
        }
    }

    @Test
    void a_counter_that_has_gone_back_is_announced_at_once() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (Arena arena = Arena.open(database.url(), List.of(DrawMode.ASYNC), PATIENCE)) {
            ArenaSequence sequence = arena.offered().get(DrawMode.ASYNC);
            assertThat(sequence).isNotNull();
            WorkerProcess worker = start(arena.url(), order(sequence, 1, 0, LaneOrder.Shares.NONE));
            pump.await(() -> pump.fewest(names(arena)) >= 20);
            String table = sequence.sequence().replace("_async", "");
            database.execute("UPDATE " + table + " SET next_value = 5");
            pump.await(() -> !lasting.isEmpty());
            assertThat(lasting.get(0).reason()).contains("regressed, the store dealt 5 after");
            assertThat(lasting.get(0).generator()).isEqualTo("ASYNC");
            worker.stop().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
            WorkerAccounts accounts = worker.accounts().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
            assertThat(accounts.failures()).anyMatch(failed -> failed.lasting() && failed.count() > 0);
            pump.awaitEnd();
            assertThat(pump.of("ASYNC").failed).isPositive();
        }
    }

    @Test
    void a_worker_ends_with_its_parent_and_leaves_nothing_in_the_temporary_folder() throws Exception {
        WorkerProcess worker = start(url("sqlite"));
        assertThat(worker.handle().info().commandLine().orElse("")).doesNotContain("numbers.db");
        worker.close(); // its input ends, as when the parent is killed
        worker.ended().get(ENOUGH_SECONDS, TimeUnit.SECONDS);
        assertThat(worker.lastMessage()).isEmpty();
        String id = Long.toString(worker.handle().pid());
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("java.io.tmpdir")), 2)) {
            assertThat(files.filter(file -> file.getFileName().toString().equals(id)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_cannot_be_done_is_refused_in_one_line_without_secrets(Engine engine) throws Exception {
        engine.assume();
        String url = "jdbc:" + engine.name().toLowerCase(java.util.Locale.ROOT)
                + "://127.0.0.1:1/none?user=me&password=hunter2";
        WorkerProcess worker = folder.start(lasting::add);
        started.add(worker);
        LaneOrder order = order(new ArenaSequence("SYNC", DrawMode.SYNC, "a", ""), 1, 0, LaneOrder.Shares.NONE);
        assertThatThrownBy(() -> worker.begin(url, Duration.ofMillis(200), List.of(order), pump::add)
                        .get(ENOUGH_SECONDS, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(Unavailable.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .doesNotStartWith("Unavailable")
                        .doesNotContain("hunter2")
                        .doesNotContain("\n"));
        pump.awaitEnd(); // a lane that was refused has ended
        worker.kill();
        assertThatThrownBy(() -> worker.accounts().get(ENOUGH_SECONDS, TimeUnit.SECONDS))
                .cause()
                .hasMessageContaining("has ended before it answered the order to accounts");
    }
}
