// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooler that lends a session of the server to each transaction. */
@Tag("long")
@Timeout(120)
class PgBouncerTest {

    private static final int DRAWS = 15;

    private static final Map<String, Allocation> ALLOCATIONS = new LinkedHashMap<>(Map.of(
            "ASYNC", Allocation.async(),
            "COMBINED", Allocation.combined(),
            "CONFIRMED", Allocation.confirmed(),
            "BATCH", Allocation.batch(5),
            "ADAPTIVE", Allocation.adaptive()));

    /** Draws one number, in a transaction where the mode needs one. */
    @FunctionalInterface
    private interface Draw {
        long next() throws Exception;
    }

    private static Map<String, Draw> modes(JdbcSequences sequences) {
        Map<String, Draw> modes = new LinkedHashMap<>();
        ALLOCATIONS.forEach((mode, allocation) -> {
            Sequence sequence = sequences.open(mode, allocation);
            modes.put(mode, sequence::next);
        });
        GaplessSequence<Connection> sync = sequences.gapless("SYNC");
        modes.put("SYNC", () -> sequences.inTransaction(sync::next));
        GroupedSequence<Connection> grouped = sequences.gapless("GROUPED").grouped();
        modes.put("GROUPED", () -> grouped.commit(turn -> turn.next()));
        PooledSequence<Connection> pooled = sequences.gapless("POOLED").pooled();
        modes.put("POOLED", () -> sequences.inTransaction(pooled::next));
        return modes;
    }

    private static void table(Database database, String table) throws SQLException {
        database.execute(
                "CREATE TABLE " + table + " (name varchar(64) PRIMARY KEY, next_value bigint NOT NULL)",
                "CREATE TABLE " + table + "_kept (mode text, n bigint)");
    }

    private static String url(Database database, String table) {
        return database.option("seriatim.table", table)
                .option("seriatim.kind", "next")
                .url();
    }

    /** Two tables of one shape, two programs on each: the server's sessions know statements of all of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void programs_on_two_tables_draw_in_every_mode_through_few_sessions(int sessions) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        List<JdbcSequences> programs = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Server bouncer = Server.pgBouncer(database, sessions)) {
            for (String table : List.of("ta", "tb", "ta", "tb")) {
                if (programs.size() < 2) {
                    table(database, table);
                }
                programs.add(JdbcSequences.open(url(bouncer.administration(), table)));
            }
            List<Map<String, Draw>> draws =
                    programs.stream().map(PgBouncerTest::modes).toList();
            for (String mode : draws.get(0).keySet()) {
                List<Set<Long>> drawn = List.of(new ConcurrentSkipListSet<>(), new ConcurrentSkipListSet<>());
                AtomicInteger repeated = new AtomicInteger();
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Draw draw = Objects.requireNonNull(draws.get(i % 4).get(mode));
                    Set<Long> ofTable = drawn.get(i % 2);
                    running.add(threads.submit(() -> {
                        for (int n = 0; n < DRAWS; n++) {
                            repeated.addAndGet(ofTable.add(draw.next()) ? 0 : 1);
                        }
                        return ofTable;
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
                assertThat(repeated).as(mode).hasValue(0);
                if (!Set.of("BATCH", "ADAPTIVE", "CONFIRMED").contains(mode)) {
                    assertThat(drawn)
                            .as(mode)
                            .allSatisfy(of -> assertThat(of)
                                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 4 * DRAWS)
                                            .boxed()
                                            .toList()));
                }
            }
            leavesNothing(bouncer.administration(), sessions);
        } finally {
            threads.shutdown();
            programs.forEach(JdbcSequences::close);
        }
    }

    /** Looks at each session that the pooler lends. */
    private static void leavesNothing(Database pooled, int sessions) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < sessions; i++) {
                Connection connection = pooled.option("prepareThreshold", "0").connect();
                all.add(connection);
                connection.setAutoCommit(false);
                assertThat(text(connection, "SHOW lock_timeout")).isEqualTo("0");
                assertThat(text(connection, "SHOW default_transaction_isolation"))
                        .isEqualTo("read committed");
                assertThat(text(connection, "SHOW default_transaction_read_only"))
                        .isEqualTo("off");
                assertThat(text(connection, "SELECT string_agg(statement, ';') FROM pg_prepared_statements"))
                        .isNull();
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    /** The driver's annotations do not compile with warnings as errors. */
    private static Object threshold(Connection connection) throws SQLException, ReflectiveOperationException {
        Class<?> driver = Class.forName("org.postgresql.PGConnection");
        return driver.getMethod("getPrepareThreshold").invoke(connection.unwrap(driver));
    }

    @Test
    void draws_over_a_data_source_name_no_statements_and_leave_its_threshold() throws Exception {
        try (Server bouncer = Server.pgBouncer(Engine.POSTGRESQL.freshDatabase(), 1)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(bouncer.administration().url());
            config.setMaximumPoolSize(2);
            config.setAutoCommit(false);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                for (int i = 0; i < 2; i++) {
                    boolean keeping = i == 1;
                    try (JdbcSequences sequences = keeping
                            ? JdbcSequences.keeping(pool, 1, s -> {})
                            : JdbcSequences.borrowing(pool, s -> {})) {
                        for (Draw draw : modes(sequences).values()) {
                            for (int n = 0; n < 10; n++) {
                                draw.next();
                            }
                        }
                    }
                }
                try (Connection lent = pool.getConnection()) {
                    assertThat(threshold(lent)).isEqualTo(5);
                }
            }
            leavesNothing(bouncer.administration(), 1);
        }
    }

    @Test
    void draws_in_a_callers_transaction_name_no_statements() throws Exception {
        try (Server bouncer = Server.pgBouncer(Engine.POSTGRESQL.freshDatabase(), 2);
                JdbcSequences sequences =
                        JdbcSequences.open(bouncer.administration().url());
                Connection connection = bouncer.administration().connect()) {
            GaplessSequence<Connection> sync = sequences.gapless("SYNC");
            connection.setAutoCommit(false);
            for (int n = 1; n <= 10; n++) {
                assertThat(sync.next(connection)).isEqualTo(n);
            }
            assertThat(text(connection, "SELECT count(*) FROM pg_prepared_statements WHERE statement <> 'BEGIN'"))
                    .isEqualTo("0");
            assertThat(threshold(connection)).isEqualTo(5);
        }
    }

    @Test
    void a_draw_gives_up_on_a_locked_row_after_its_patience() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (Server bouncer = Server.pgBouncer(database, 2);
                JdbcSequences sequences = JdbcSequences.open(bouncer.administration()
                        .option("seriatim.patience", "1300ms")
                        .option("socketTimeout", "20")
                        .url())) {
            sequences.unique("s").next();
            JdbcStore store = sequences.store();
            try (Connection holder = database.connect()) {
                holder.setAutoCommit(false);
                text(holder, "SELECT name FROM seriatim_sequence WHERE name = 's' FOR UPDATE");
                for (Runnable call : List.<Runnable>of(() -> store.reserve("s", 1), () -> store.begin("s"))) {
                    long began = System.nanoTime();
                    assertThatThrownBy(call::run).isInstanceOf(Overloaded.class);
                    assertThat(System.nanoTime() - began).isLessThan(10_000_000_000L);
                }
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the snapshot is declared only to be closed
    void a_snapshot_is_one_and_leaves_nothing() throws Exception {
        try (Server bouncer = Server.pgBouncer(Engine.POSTGRESQL.freshDatabase(), 1);
                Connection connection =
                        bouncer.administration().option("prepareThreshold", "0").connect()) {
            Dialect dialect = Dialects.of(connection);
            String levels =
                    "SELECT current_setting('transaction_isolation') || ', then ' || current_setting('default_transaction_isolation')";
            try (Snapshot snapshot = dialect.snapshot(connection)) {
                assertThat(text(connection, levels)).isEqualTo("repeatable read, then read committed");
            }
        }
    }
}
