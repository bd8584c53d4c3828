// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

class SqliteFileTest {

    @TempDir
    Path folder;

    @Test
    void only_create_makes_the_file() {
        Path file = folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            assertThat(store.list()).isEmpty();
            fails(() -> store.reserve("orders", 1), NotFound.class, file.toString());
            fails(() -> store.describe("orders"), NotFound.class, file.toString());
            fails(() -> store.drop("orders"), NotFound.class, file.toString());
            assertThat(file).doesNotExist();
            store.create(SequenceDefinition.of("orders"));
            assertThat(file).exists();
        }
    }

    @Test
    void a_folder_is_not_a_file() {
        try (OpenStore store = StoreDriver.open("sqlite:" + folder)) {
            fails(() -> store.create(SequenceDefinition.of("orders")), Misconfigured.class, "is a folder");
            fails(store::list, Misconfigured.class, "is a folder");
        }
    }

    @Test
    void a_missing_folder_is_named() {
        try (OpenStore store = StoreDriver.open("sqlite:" + folder.resolve("none/numbers.db"))) {
            fails(() -> store.create(SequenceDefinition.of("orders")), Misconfigured.class, "does not exist");
            assertThat(folder.resolve("none")).doesNotExist();
        }
    }

    @Test
    void another_kind_of_file_is_told_and_left_alone() throws IOException {
        Path file = folder.resolve("letter.txt");
        Files.writeString(file, "Dear database, ".repeat(100));
        byte[] before = Files.readAllBytes(file);
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            fails(() -> store.reserve("orders", 1), Misconfigured.class, "is not a SQLite database");
            fails(store::list, Misconfigured.class, "is not a SQLite database");
            fails(() -> store.create(SequenceDefinition.of("orders")), Misconfigured.class, "is not a SQLite database");
        }
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void another_products_table_is_told_and_left_alone() throws Exception {
        Path file = folder.resolve("other.db");
        sql(file, "CREATE TABLE seriatim_sequence (name TEXT PRIMARY KEY, next_value INTEGER, colour TEXT)");
        byte[] before = Files.readAllBytes(file);
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            fails(() -> store.reserve("orders", 1), Misconfigured.class, "has other columns");
            fails(() -> store.create(SequenceDefinition.of("orders")), Misconfigured.class, "has other columns");
            fails(store::list, Misconfigured.class, "has other columns");
        }
        assertThat(file).hasBinaryContent(before);
    }

    @Test
    void a_read_only_database_is_told() throws SQLException {
        Path file = folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            store.create(SequenceDefinition.of("orders"));
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        // Opened with its constructor, because open() would report the preflight first.
        SqliteDialect dialect = new SqliteDialect();
        try (JdbcStore store = UncheckedStores.over(
                new BorrowedConnections(
                        new Lender(new WatchedSource(file, config).source(), Dialects::inTransaction),
                        dialect,
                        () -> {}),
                dialect,
                SequenceTable.own(),
                "numbers.db",
                Transactions.PATIENCE)) {
            fails(() -> store.reserve("orders", 1), Unavailable.class, "is read-only");
        }
    }

    @Test
    void a_file_that_another_holds_is_told_within_the_busy_timeout() throws SQLException {
        Path file = folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open("sqlite:" + file + "?busy-timeout=200ms")) {
            store.create(SequenceDefinition.of("orders"));
            try (Connection holder = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = holder.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                long begun = System.nanoTime();
                fails(() -> store.reserve("orders", 1), Overloaded.class, "200 ms");
                assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun))
                        .isBetween(190L, 5000L);
                assertThat(store.describe("orders").nextValue()).isEqualTo(1);
                statement.execute("ROLLBACK");
            }
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);
        }
    }

    @Test
    void an_interrupted_caller_gets_an_answer_and_keeps_its_interrupt() {
        try (OpenStore store = StoreDriver.open("sqlite:" + folder.resolve("numbers.db"))) {
            store.create(SequenceDefinition.of("orders"));
            Thread.currentThread().interrupt();
            fails(() -> store.reserve("orders", 1), Unavailable.class, "interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);
        }
    }

    @Test
    void a_closed_store_says_so() {
        OpenStore store = StoreDriver.open("sqlite:" + folder.resolve("numbers.db"));
        store.create(SequenceDefinition.of("orders"));
        store.close();
        store.close();
        fails(() -> store.reserve("orders", 1), Unavailable.class, "is closed");
    }

    @Test
    void urls_are_checked() {
        fails(() -> StoreDriver.open("sqlite:"), Misconfigured.class, "it names no file");
        fails(() -> StoreDriver.open("sqlite::memory:"), Misconfigured.class, "memory:");
        for (String options : List.of(
                "colour=red",
                "kind=first",
                "kind=next",
                "name-column=a",
                "durability=maybe",
                "busy-timeout=soon",
                "table=a-b",
                "kind=last&table=t&increment-by=x",
                "cache=5")) {
            fails(() -> StoreDriver.open("sqlite:numbers.db?" + options), Misconfigured.class, "");
        }
    }

    @Test
    void the_file_is_set_to_what_survives_a_power_cut() throws Exception {
        Path file = folder.resolve("numbers.db");
        sql(file, "CREATE TABLE mine (id INTEGER)");
        assertThat(pragma(file, "journal_mode")).isEqualTo("delete");
        try (JdbcStore store = (JdbcStore) StoreDriver.open("sqlite:" + file)) {
            store.create(SequenceDefinition.of("orders"));
            String level = store.inTransaction(connection -> first(connection, "PRAGMA synchronous"));
            assertThat(level).isEqualTo("2");
        }
        assertThat(pragma(file, "journal_mode")).isEqualTo("wal");
    }

    @Test
    void a_data_source_that_does_not_sync_is_made_to() throws SQLException {
        SQLiteConfig unsafe = new SQLiteConfig();
        unsafe.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        WatchedSource watched = new WatchedSource(folder.resolve("numbers.db"), unsafe);
        JdbcStore store = JdbcStore.open(watched.source());
        assertThat(store.<String, SQLException>inTransaction(connection -> first(connection, "PRAGMA synchronous")))
                .isEqualTo("2");
    }

    @Test
    void settings_that_lose_commits_are_refused_or_warned_of() {
        List<String> problems = List.of("journal_mode stays 'off'; set journal_mode=WAL");
        fails(() -> DurabilityCheck.REQUIRED.check("numbers.db", problems), Misconfigured.class, "journal_mode=WAL");
        DurabilityCheck.WARN.check("numbers.db", problems);
    }

    private static void fails(ThrowingCallable call, Class<? extends SequenceException> type, String part) {
        assertThatThrownBy(call)
                .isInstanceOf(type)
                .hasMessageContaining(part)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    private static void sql(Path file, String text) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private static String pragma(Path file, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            return first(connection, "PRAGMA " + name);
        }
    }

    private static String first(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }
}
