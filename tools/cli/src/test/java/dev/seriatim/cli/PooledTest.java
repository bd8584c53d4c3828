// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.PooledSequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers that are laid out ahead, drawn and shown by command. */
class PooledTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void numbers_are_drawn_and_the_pool_is_shown(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String store = database.url();
        on(store, "create", "orders").succeeded();
        assertThat(on(store, "show", "orders").succeeded()).doesNotContain("laid out");
        assertThat(on(store, "next", "orders", "-n", "3", "--mode", "POOLED").succeeded())
                .isEqualTo("1\n2\n3\n");
        assertThat(on(store, "next", "orders", "--mode", "pooled").succeeded()).isEqualTo("4\n");
        assertThat(on(store, "show", "orders").succeeded())
                .contains("\nclaimed       0,", "\nuncommitted   from 5\n")
                .containsPattern("\nlaid out      [1-9]");
        try (JdbcStore library = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(library);
                Connection open = database.connect()) {
            open.setAutoCommit(false);
            assertThat(sequences.pooled("orders", library).next(open)).isEqualTo(5);
            assertThat(on(store, "show", "orders", "--format", "json").succeeded())
                    .contains("\"claimed\": \"1\"", "\"lowest_uncommitted\": \"5\"");
            assertThat(on(store, "next", "orders", "-n", "2", "--mode", "POOLED")
                            .succeeded())
                    .isEqualTo("6\n7\n");
            open.rollback();
        }
        assertThat(on(store, "next", "orders", "-n", "2", "--mode", "POOLED").succeeded())
                .isEqualTo("5\n8\n");
        on(store, "restart", "orders").noted("'orders'");
        assertThat(on(store, "next", "orders", "--mode", "POOLED").succeeded()).isEqualTo("1\n");
        on(store, "drop", "orders").succeeded();
        assertThat(database.number("SELECT COUNT(*) FROM seriatim_sequence_pool"))
                .isZero();
    }

    /** A table whose numbers 1 … 3 were drawn from the pool, where 4 came back and 5 was drawn after it; and an import. */
    private static Database withImport(Engine engine, String imported) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE inv (n BIGINT)", "INSERT INTO inv VALUES (1), (2), (3), (5)" + imported);
        String store = database.url();
        on(store, "create", "s").succeeded();
        try (JdbcStore library = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(library)) {
            PooledSequence<Connection> pooled = sequences.pooled("s", library);
            while (!library.inTransaction(t -> pooled.next(t, 3)).toList().equals(List.of(1L, 2L, 3L))) {
                library.restart("s", 1); // a refill that comes late lets callers draw behind the pool
            }
            try (Connection open = database.connect()) {
                open.setAutoCommit(false);
                assertThat(pooled.next(open)).isEqualTo(4);
                assertThat(library.<Long, RuntimeException>inTransaction(pooled::next))
                        .isEqualTo(5);
                open.rollback();
            }
        }
        return database;
    }

    private static String drawn(String store, int count) {
        return on(store, "next", "s", "-n", Integer.toString(count), "--mode", "POOLED")
                .succeeded();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void sync_takes_what_the_column_holds_out_of_the_pool(Engine engine) throws SQLException {
        String store = withImport(engine, ", (7), (20)").url();
        assertThat(on(store, "sync", "s", "--column", "inv.n", "--dry-run").succeeded())
                .startsWith("would raise 's' to 21,")
                .contains("inv.n has reached 20", "its pool continues with 4");
        assertThat(drawn(store, 1)).isEqualTo("4\n");
        assertThat(on(store, "sync", "s", "--column", "inv.n").succeeded())
                .startsWith("raised 's'")
                .contains("its pool continues with 21", "since inv.n has reached 20");
        assertThat(drawn(store, 2)).isEqualTo("21\n22\n");
        assertThat(on(store, "sync", "s", "--column", "inv.n").succeeded()).startsWith("nothing to do");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sync_leaves_a_number_that_came_back_in_the_pool(Engine engine) throws SQLException {
        String store = withImport(engine, "").url();
        assertThat(on(store, "sync", "s", "--column", "inv.n").succeeded())
                .startsWith("nothing to do")
                .contains("its pool continues with 4");
        assertThat(drawn(store, 2)).isEqualTo("4\n6\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sync_beside_callers_who_draw_has_nothing_to_do(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE inv (n BIGINT)");
        String store = database.url();
        on(store, "create", "s").succeeded();
        AtomicBoolean done = new AtomicBoolean();
        List<String> said = new ArrayList<>();
        try (JdbcStore library = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(library)) {
            PooledSequence<Connection> pooled = sequences.pooled("s", library);
            TransactionalSequence<Connection> sync = TransactionalSequence.of(library, "s");
            List<CompletableFuture<Void>> drawing = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                TransactionScope.Work<Connection, Long, SQLException> draw =
                        thread % 2 == 0 ? pooled::next : sync::next;
                drawing.add(CompletableFuture.runAsync(() -> storeUntil(done, library, draw)));
            }
            try {
                for (int i = 0; i < 25; i++) {
                    said.add(on(store, "sync", "s", "--column", "inv.n").succeeded());
                }
            } finally {
                done.set(true);
            }
            for (CompletableFuture<Void> each : drawing) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(said).allSatisfy(line -> assertThat(line).startsWith("nothing to do"));
        assertThat(on(store, "audit", "s", "--column", "inv.n", "--gapless").succeeded())
                .contains("gaps          none");
    }

    private static void storeUntil(
            AtomicBoolean done, JdbcStore store, TransactionScope.Work<Connection, Long, SQLException> draw) {
        try {
            while (!done.get()) {
                store.inTransaction(transaction -> {
                    try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO inv VALUES (?)")) {
                        insert.setLong(1, draw.run(transaction));
                        return insert.executeUpdate();
                    }
                });
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sync_says_when_there_is_no_room_beyond_what_the_pool_holds(Engine engine) throws SQLException {
        Database database = withImport(engine, "");
        String store = database.url();
        on(store, "alter", "s", "--max-value", "200").succeeded();
        drawn(store, 190); // the pool holds the rest, or it is used up
        database.execute("INSERT INTO inv VALUES (200)");
        on(store, "sync", "s", "--column", "inv.n").failedWith("'s'", "beyond max value 200", "alter that bound");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void an_audit_takes_what_is_in_the_pool_for_neither_gap_nor_missing(Engine engine) throws SQLException {
        Database database = withImport(engine, "");
        String store = database.url();
        String[] audit = {"audit", "s", "--column", "inv.n", "--gapless"};
        assertThat(on(store, audit).succeeded())
                .contains("gaps          none\n", "at the end    none\n")
                .containsPattern("in the pool   4 … \\d+ \\(\\d+ numbers\\)\n");
        database.execute("INSERT INTO inv VALUES (4), (8)");
        on(store, audit).endedWith(3, "inv.n has 2 numbers yet to deal");
        database.execute("DELETE FROM inv WHERE n IN (2, 4, 8)");
        CommandLineRun gap = on(store, audit);
        gap.endedWith(3, "inv.n has 1 gap");
        assertThat(gap.out()).contains("gap           2\n");
        database.execute("DELETE FROM inv WHERE n = 5");
        on(store, audit).endedWith(3, "1 gap, 1 number missing at the end");
        assertThat(on(store, "audit", "s", "--column", "inv.n", "--format", "json")
                        .out())
                .contains("\"in_pool\": {");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_changes_a_sequence_says_where_its_pool_goes_on(Engine engine) throws SQLException {
        String store = withImport(engine, "").url();
        assertThat(on(store, "raise", "s", "--to", "10").succeeded())
                .startsWith("raised 's', its pool continues with 10, and its counter with ");
        assertThat(on(store, "raise", "s", "--to", "6").succeeded())
                .startsWith("already beyond: 's', its pool continues with 10");
        assertThat(on(store, "alter", "s", "--cache", "7").succeeded()).contains("its pool continues with 10");
        assertThat(on(store, "restart", "s", "--with", "3").noted("'s'"))
                .isEqualTo("restarted 's', its next value is 3\n");
        assertThat(drawn(store, 2)).isEqualTo("3\n4\n");
    }

    @Test
    void where_it_cannot_be_done_the_reason_and_the_remedy_are_reported(@TempDir Path folder) {
        String store = "sqlite:" + folder.resolve("orders.db");
        on(store, "create", "orders").succeeded();
        on(store, "next", "orders", "--mode", "POOLED")
                .failedWith("'orders'", "SQLite does not support POOLED", "use GROUPED, or SYNC");
        assertThat(on(store, "show", "orders").succeeded()).doesNotContain("laid out");
        assertThat(on("memory:", "next", "orders", "--create", "--mode", "POOLED")
                        .succeeded())
                .isEqualTo("1\n");
    }
}
