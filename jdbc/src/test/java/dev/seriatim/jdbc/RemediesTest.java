// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.BorrowedConnections;
import dev.seriatim.jdbc.sql.Lender;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sqlite.SqliteDialect;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import dev.seriatim.servers.Server;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The errors when a real database refuses: each names the cause and a remedy for that cause. */
class RemediesTest {

    private static final String READ_WRITE = "draw in a read-write transaction";
    private static final String OTHER_SERVER = "name a server that accepts writes";

    @TempDir
    Path folder;

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(ThrowingCallable call, String... words) {
        return assertThatThrownBy(call)
                .isInstanceOf(SequenceException.class)
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("\n");
    }

    private static JdbcStore withSequence(Database database) {
        JdbcStore store = JdbcStore.open(database.dataSource());
        store.create(SequenceDefinition.of("s"));
        return store;
    }

    private static ThrowingCallable draw(JdbcStore store, Connection connection, String... before) {
        return () -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : before) {
                    statement.execute(sql);
                }
            }
            TransactionalSequence.of(store, "s").next(connection);
        };
    }

    @Test
    void a_read_only_transaction_of_springs_is_not_the_servers_fault() {
        var source = Engine.POSTGRESQL.freshDatabase().dataSource();
        JdbcStore store = JdbcStore.open(source);
        store.create(SequenceDefinition.of("s"));
        TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "s");
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        transactions.setReadOnly(true);
        refused(
                        () -> transactions.execute(status -> sync.next(DataSourceUtils.getConnection(source))),
                        "sequence 's': the connection of this transaction is read-only",
                        "setReadOnly(true)",
                        "@Transactional(readOnly = true)",
                        READ_WRITE)
                .isInstanceOf(Misconfigured.class)
                .hasMessageNotContaining("server");
        transactions.setReadOnly(false);
        Long first = transactions.execute(status -> sync.next(DataSourceUtils.getConnection(source)));
        assertThat(first).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_transaction_that_began_read_only_may_be_so_by_itself_or_by_its_server(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        JdbcStore store = withSequence(database);
        String begin = engine == Engine.MARIADB ? "START TRANSACTION READ ONLY" : "SET TRANSACTION READ ONLY";
        try (Connection connection = database.connect()) {
            refused(
                            draw(store, connection, begin),
                            "sequence 's': this transaction is read-only",
                            READ_WRITE,
                            "or " + OTHER_SERVER)
                    .isInstanceOf(engine == Engine.MARIADB ? Misconfigured.class : Unavailable.class);
            connection.rollback();
            assertThat(TransactionalSequence.of(store, "s").next(connection)).isEqualTo(1);
            connection.rollback();
        }
    }

    @Test
    void a_hot_standby_is_told_as_a_server_that_takes_no_writes() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = server.freshDatabase();
            JdbcStore store = withSequence(database);
            server.kill();
            Files.createFile(server.folder().resolve("data/standby.signal"));
            server.restart();
            refused(() -> store.reserve("s", 1), "is read-only", OTHER_SERVER);
            try (Connection connection = database.connect()) {
                refused(draw(store, connection), "this transaction is read-only", OTHER_SERVER);
            }
            refused(() -> store.create(SequenceDefinition.of("t")), "is read-only", OTHER_SERVER);
        }
    }

    @Test
    void a_replica_of_mariadbs_is_told_as_a_server_that_takes_no_writes() throws SQLException {
        try (Server server = Server.mariadb(Map.of())) {
            Database database = server.freshDatabase();
            withSequence(database);
            database.execute(
                    "CREATE USER app IDENTIFIED BY 'apps'",
                    "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON *.* TO app",
                    "SET GLOBAL read_only = 1");
            Database app = database.as("app", "apps");
            JdbcStore store = JdbcStore.open(app.dataSource());
            refused(() -> store.reserve("s", 1), "accepts no writes", OTHER_SERVER)
                    .hasMessageNotContaining("setReadOnly");
            try (Connection connection = app.connect()) {
                refused(draw(store, connection), "accepts no writes", OTHER_SERVER)
                        .hasMessageNotContaining("setReadOnly");
            }
        }
    }

    @Test
    void a_file_that_may_not_be_written_is_no_server() throws SQLException {
        Database file = Engine.SQLITE.freshDatabase();
        withSequence(file);
        // Opened with its constructor, because open() would report the preflight first.
        SqliteDialect dialect = new SqliteDialect();
        JdbcStore readOnly = UncheckedStores.over(
                new BorrowedConnections(
                        new Lender(file.option("open_mode", "1").dataSource(), Dialects::inTransaction),
                        dialect,
                        () -> {}),
                dialect,
                SequenceTable.own(),
                "numbers.db",
                Transactions.PATIENCE);
        refused(() -> readOnly.reserve("s", 1), "numbers.db is read-only", "write to the file and its folder")
                .hasMessageNotContaining("server");
        Database h2 = H2Files.freshDatabase();
        JdbcStore.open(h2.dataSource(), SequenceTable.own(), DurabilityCheck.WARN, Transactions.PATIENCE)
                .create(SequenceDefinition.of("s"));
        JdbcStore reading = JdbcStore.open(
                h2.option("ACCESS_MODE_DATA", "r").dataSource(),
                SequenceTable.own(),
                DurabilityCheck.WARN,
                Transactions.PATIENCE);
        refused(() -> reading.reserve("s", 1), "is read-only", "ACCESS_MODE_DATA=r", "write to its file")
                .hasMessageNotContaining("server");
    }

    @Test
    void a_log_that_sqlite_cannot_open_is_told() throws IOException {
        Path file = folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            store.create(SequenceDefinition.of("s"));
        }
        Files.createDirectory(folder.resolve("numbers.db-wal"));
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            refused(
                    () -> store.reserve("s", 1),
                    file + " cannot be opened",
                    "SQLITE_CANTOPEN",
                    "allow this user to read and write the file, and to create files in its folder");
            refused(store::list, "SQLITE_CANTOPEN", "create files in its folder");
        }
    }

    @Test
    void a_file_that_is_missing_is_told_but_is_no_error_of_a_list() {
        Path file = folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open("sqlite:" + file)) {
            assertThat(store.list()).isEmpty();
            assertThat(store)
                    .hasToString("SQLite, table seriatim_sequence of " + file + ", a file that does not exist yet");
            refused(() -> store.reserve("s", 1), file + ", a file that does not exist yet", "create it first");
            refused(() -> store.describe("s"), file + ", a file that does not exist yet", "create it first");
            refused(() -> store.drop("s"), file + ", a file that does not exist yet");
            store.create(SequenceDefinition.of("s"));
            assertThat(store).hasToString("SQLite, table seriatim_sequence of " + file);
            refused(() -> store.describe("t"), "of " + file + "; check its name");
        }
    }

    @Test
    void a_folder_that_is_missing_is_an_error_of_every_call() {
        Path none = folder.resolve("none");
        try (OpenStore store = StoreDriver.open("sqlite:" + none.resolve("numbers.db"))) {
            String remedy = "is in a folder that does not exist; create the folder first: " + none;
            refused(store::list, remedy);
            refused(() -> store.describe("s"), remedy);
            refused(() -> store.reserve("s", 1), remedy);
            refused(() -> store.drop("s"), remedy);
        }
    }

    @ParameterizedTest
    @CsvSource({"sqlite:, ?", "jdbc:sqlite:, ?seriatim."})
    void a_plain_table_is_reported_with_the_options_that_open_it(String scheme, String options) throws SQLException {
        Path file = folder.resolve("plain.db");
        new Database("jdbc:sqlite:", file.toString(), Map.of(), "", "")
                .execute(
                        "CREATE TABLE seq_table (seq_name TEXT PRIMARY KEY, last_val INTEGER)",
                        "INSERT INTO seq_table VALUES ('s', 5)");
        String url = scheme + file + options + "table=seq_table";
        String and = "&" + options.substring(1);
        try (OpenStore store = StoreDriver.open(url)) {
            refused(
                    () -> store.reserve("s", 1),
                    "table seq_table",
                    "other columns",
                    "kind=last (its counter is the last value drawn)",
                    "kind=next",
                    "seriatim.");
            refused(store::list, "kind=last");
        }
        try (OpenStore store = StoreDriver.open(url + and + "kind=next")) {
            refused(() -> store.reserve("s", 1), "has no such columns", "name them", "value-column")
                    .hasMessageNotContaining("kind=last");
        }
        try (OpenStore store = StoreDriver.open(url + and + "kind=last")) {
            assertThat(store.reserve("s", 1).block().first()).isEqualTo(6);
        }
    }

    @Test
    void a_plain_table_is_reported_with_what_a_program_calls() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE seq_table (seq_name TEXT PRIMARY KEY, last_val BIGINT)");
        JdbcStore own = JdbcStore.open(database.dataSource(), SequenceTable.own("seq_table"));
        refused(() -> own.reserve("s", 1), "other columns", "SequenceTable.lastValue", "nextValue");
        JdbcStore other = JdbcStore.open(database.dataSource(), SequenceTable.lastValue("seq_table", "seq_name", "v"));
        refused(() -> other.reserve("s", 1), "has no such columns", "SequenceTable.lastValue");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void who_may_not_create_the_table_is_told_who_may(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String name = database.url().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        String user = "maker_" + name;
        database.execute(
                engine == Engine.MARIADB
                        ? "CREATE USER " + user + " IDENTIFIED BY 'makers'"
                        : "CREATE ROLE " + user + " LOGIN PASSWORD 'makers'",
                engine == Engine.MARIADB
                        ? "GRANT SELECT, UPDATE ON " + name + ".* TO " + user
                        : "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        Database maker = database.as(user, "makers");
        JdbcStore store = JdbcStore.open(maker.dataSource());
        refused(
                () -> store.create(SequenceDefinition.of("s")),
                "this user may not create table seriatim_sequence",
                "run 'seriatim --store URL install' as a user with that privilege",
                "what it shows with --print");
        withSequence(database);
        refused(
                () -> {
                    store.reserve("s", 1);
                    store.create(SequenceDefinition.of("t"));
                },
                "this user may not use table seriatim_sequence",
                "to draw: GRANT SELECT, UPDATE ON ",
                "to create and drop sequences too: GRANT INSERT, DELETE ON ",
                "'seriatim --store URL install --print' shows the required grants");
    }

    @Test
    void a_url_without_a_database_is_told_to_name_one() {
        String url = Engine.MARIADB.freshDatabase().url().replaceFirst("/t_\\w+", "/");
        refused(
                () -> StoreDriver.open(url).list(),
                "does not name a database",
                "add it after the host: //HOST:PORT/DATABASE");
    }

    @ParameterizedTest
    @CsvSource({"table=t", "kind=last", "patience=5s", "pool-size=3", "durability=warn", "sequences=native"})
    void an_option_of_ours_without_its_prefix_is_not_left_to_the_driver(String option) {
        String name = option.replaceFirst("=.*", "");
        refused(
                () -> StoreDriver.open("jdbc:postgresql://127.0.0.1:1/db?" + option),
                "option '" + name + "'",
                "write seriatim." + name);
    }
}
