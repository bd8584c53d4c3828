// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Many callers on servers that are slow, conflicting, killed or suspended: the table has no gaps. */
@Tag("long")
class GroupLoadTest {

    private static final KeptNumbers KEPT = new KeptNumbers("kept");
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** A caller's repeated task. */
    private interface Task {
        void run(int caller) throws Exception;
    }

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void stays_gapless_over_ten_thousand_commits_when_a_fifth_of_the_units_fail(Engine engine) throws Exception {
        Database database = prepared(engine.freshDatabase());
        GroupedSequence<Connection> sequence = grouped(database, Duration.ofSeconds(60));
        AtomicInteger committed = new AtomicInteger();
        AtomicInteger thrown = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        crowd(32, caller -> {
            Random random = new Random(caller);
            while (committed.get() < 10_000) {
                Refused mine = new Refused();
                try {
                    sequence.commit(turn -> {
                        long number = KEPT.keepNext(turn);
                        if (random.nextInt(5) == 0) {
                            thrown.incrementAndGet();
                            throw mine;
                        }
                        return number;
                    });
                    committed.incrementAndGet();
                } catch (Refused e) {
                    assertThat(e).isSameAs(mine);
                    seen.incrementAndGet();
                }
            }
        });
        assertThat(seen.get()).isEqualTo(thrown.get()).isGreaterThan(2_000);
        assertGapless(database, committed.get());
    }

    @Test
    void repeats_groups_of_two_instances_that_conflict_when_transactions_are_serializable() throws Exception {
        Database database = prepared(Engine.POSTGRESQL.freshDatabase())
                .option("options", "-c default_transaction_isolation=serializable");
        List<GroupedSequence<Connection>> instances =
                List.of(grouped(database, Duration.ofSeconds(60)), grouped(database, Duration.ofSeconds(60)));
        crowd(16, caller -> {
            for (int i = 0; i < 30; i++) {
                instances.get(caller % 2).commit(KEPT::keepNext);
            }
        });
        assertGapless(database, 16 * 30);
    }

    static Stream<Named<Function<Map<String, String>, Server>>> servers() {
        return Stream.of(Named.of("postgresql", Server::postgresql), Named.of("mariadb", Server::mariadb));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void goes_on_without_a_gap_when_the_server_was_killed(Function<Map<String, String>, Server> start)
            throws Exception {
        try (Server server = start.apply(Map.of())) {
            survives(server, 0, () -> {
                server.kill();
                server.restart();
            });
            close();
            opened.clear();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void holds_nobody_beyond_its_deadline_when_the_server_hangs(Function<Map<String, String>, Server> start)
            throws Exception {
        try (Server server = start.apply(Map.of())) {
            survives(server, 1, () -> {
                server.suspend();
                TimeUnit.SECONDS.sleep(4);
                server.resume();
            });
            close();
            opened.clear();
        }
    }

    private interface Disaster {
        void strike() throws Exception;
    }

    /** Callers commit before the disaster and after it; each acknowledged number is in the table. */
    private void survives(Server server, int leastFailures, Disaster disaster) throws Exception {
        Database database = prepared(server.freshDatabase());
        GroupedSequence<Connection> sequence = grouped(database, PATIENCE);
        List<Long> acknowledged = new CopyOnWriteArrayList<>();
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        CompletableFuture<Integer> struckAfter = CompletableFuture.supplyAsync(() -> {
            try {
                while (acknowledged.size() < 200) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                disaster.strike();
                return acknowledged.size();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        crowd(8, caller -> {
            while (!struckAfter.isDone() || acknowledged.size() < struckAfter.join() + 200) {
                long began = System.nanoTime();
                try {
                    acknowledged.add(sequence.commit(KEPT::keepNext));
                } catch (SequenceException | SQLException e) {
                    failed.incrementAndGet();
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                if (System.nanoTime() - began > PATIENCE.plusSeconds(1).toNanos()) {
                    late.incrementAndGet();
                }
            }
        });
        // If a server is back within the patience, no caller may fail: their units are retried.
        assertThat(failed.get()).isGreaterThanOrEqualTo(leastFailures);
        assertThat(late.get())
                .as("beyond the deadline, but for the one whose unit ran")
                .isLessThanOrEqualTo(1);
        try (Connection connection = database.connect()) {
            List<Long> all = KEPT.all(connection);
            assertThat(all).containsAll(acknowledged);
            assertGapless(database, all.size());
        }
    }

    private Database prepared(Database database) throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("s"));
        }
        database.execute(KEPT.create());
        return database;
    }

    private GroupedSequence<Connection> grouped(Database database, Duration patience) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(6);
        config.setConnectionTimeout(1000);
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);
        JdbcStore store = JdbcStore.open(pool);
        StoreSequences sequences =
                StoreSequences.builder(store).patience(patience).build();
        opened.add(sequences);
        return sequences.grouped("s", store);
    }

    private static void crowd(int callers, Task task) throws InterruptedException {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            Thread thread = new Thread(() -> {
                try {
                    task.run(caller);
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(120_000);
            assertThat(thread.isAlive()).as("a caller that never returns").isFalse();
        }
        assertThat(failures).isEmpty();
    }

    private static void assertGapless(Database database, int size) throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection connection = database.connect()) {
            assertThat(KEPT.all(connection))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, size).boxed().toList());
            assertThat(store.describe("s").nextValue()).isEqualTo(size + 1);
        }
    }
}
