// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands on real databases, over a pool, with right and with wrong input. */
@Tag("long")
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class DatabasesTest {

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void every_command_works(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String store = database.url();
        on(store, "create", "orders", "--increment-by", "10").succeeded();
        assertThat(on(store, "next", "orders", "-n", "3").succeeded()).isEqualTo("1\n11\n21\n");
        assertThat(on(store, "next", "orders", "--mode", "SYNC").succeeded()).isEqualTo("31\n");
        assertThat(on(store, "next", "orders", "--mode", "GROUPED").succeeded()).isEqualTo("41\n");
        on(store, "alter", "orders", "--increment-by", "1").succeeded();
        on(store, "raise", "orders", "--to", "100").succeeded();
        assertThat(on(store, "next", "orders").succeeded()).isEqualTo("100\n");
        assertThat(on(store, "list").succeeded()).contains("orders");
        String quote = engine == Engine.MARIADB ? "`" : "\"";
        database.execute(
                "CREATE TABLE 'invoices' ('id' BIGINT NOT NULL)".replace("'", quote),
                "INSERT INTO 'invoices' VALUES (4711)".replace("'", quote));
        assertThat(on(store, "sync", "orders", "--column", "invoices.id").succeeded())
                .contains("4712");
        on(store, "restart", "orders", "--with", "7").noted("'orders'");
        assertThat(on(store, "next", "orders").succeeded()).isEqualTo("7\n");
        on(store, "drop", "orders").succeeded();
        on(store, "next", "orders").failedWith("orders", "not found");
    }

    @Test
    void draws_inside_transactions_are_refused_on_a_file_of_h2s_unless_repeated_numbers_are_accepted() {
        Database file = H2Files.freshDatabase();
        on(file.url(), "create", "orders").succeeded();
        for (String mode : List.of("SYNC", "GROUPED")) {
            on(file.url(), "next", "orders", "--mode", mode)
                    .failedWith("sequence 'orders'", "a rollback can undo", "COMBINED", "seriatim.durability=warn");
        }
        String accepted = file.option("seriatim.durability", "warn").url();
        assertThat(on(file.url(), "next", "orders", "--mode", "COMBINED").succeeded())
                .isEqualTo("1\n");
        assertThat(on(accepted, "next", "orders", "--mode", "SYNC").succeeded()).isEqualTo("2\n");
        assertThat(on(accepted, "next", "orders", "--mode", "GROUPED").succeeded())
                .isEqualTo("3\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void install_lets_SQL_draw_from_the_same_row_and_prints_what_it_does(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        assertThat(on(database.url(), "install", "--print").succeeded())
                .contains("CREATE TABLE", "next_val", "GRANT SELECT, UPDATE", "GRANT EXECUTE")
                .endsWith(";\n*/\n");
        assertThat(on(database.url(), "install", "--print", "--tables-only").succeeded())
                .contains("CREATE TABLE", "seriatim_sequence_pool", "GRANT SELECT, UPDATE")
                .doesNotContain("next_val(", "GRANT EXECUTE", "INSERT INTO");
        on(database.url(), "install").succeeded();
        assertThat(on(database.url(), "install").succeeded()).doesNotContain("without functions");
        on(database.url(), "create", "orders").succeeded();
        assertThat(database.number("SELECT next_val('orders')")).isEqualTo(1);
        assertThat(on(database.url(), "next", "orders").succeeded()).isEqualTo("2\n");
        // The first of them: PostgreSQL looks at all at once, and sorts.
        String first = engine == Engine.POSTGRESQL ? "function create_sequence" : "function next_val";
        on(database.option("seriatim.table", "other").url(), "install")
                .failedWith(first, "not Seriatim's function on table other", "drop it first");
    }

    @Test
    void install_numbers_a_column_at_the_commit_and_prints_what_it_does() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String url = database.url();
        database.execute("CREATE TABLE \"My Bill\" (id int PRIMARY KEY, \"No\" bigint)");
        String[] install = {"install", "--at-commit", "\"My Bill\".\"No\"", "--sequence", "bill_id"};
        on(url, install).failedWith("sequence 'bill_id'", "not found");
        on(url, "create", "bill_id").succeeded();
        on(url, install).failedWith("no functions of Seriatim", "run seriatim install first");
        on(url, "install").succeeded();
        String[] printing = Arrays.copyOf(install, 6);
        printing[5] = "--print";
        String script = on(url, printing).succeeded();
        database.execute("INSERT INTO \"My Bill\" VALUES (1)");
        database.execute(script);
        database.execute("INSERT INTO \"My Bill\" VALUES (2)");
        assertThat(database.number("SELECT \"No\" FROM \"My Bill\" WHERE id = 2"))
                .isEqualTo(1);
        assertThat(database.number("SELECT count(\"No\") FROM \"My Bill\"")).isEqualTo(1);
        assertThat(on(url, install).succeeded()).isEqualTo("\"My Bill\".No is numbered at the commit\n");
        assertThat(on(url, "install", "--at-commit", install[2], "--remove").succeeded())
                .isEqualTo("\"My Bill\".No is no longer numbered at the commit\n");
        database.execute("INSERT INTO \"My Bill\" VALUES (3)");
        assertThat(database.number("SELECT count(\"No\") FROM \"My Bill\"")).isEqualTo(1);
        on(url, "install", "--at-commit", install[2], "--remove").failedWith("name one that is numbered");
    }

    @Test
    void install_at_commit_refuses_options_and_stores_without_such_triggers() {
        String memory = "memory:";
        on(memory, "install", "--at-commit", "a.b", "--sequence", "s").failedWith("needs nothing installed");
        on(Engine.H2.freshDatabase().url(), "install", "--at-commit", "a.b", "--remove")
                .failedWith("a.b", "no trigger", "GaplessSequence.last");
        on(memory, "install", "--at-commit", "a.b").refusedWith("either --sequence or --remove");
        on(memory, "install", "--at-commit", "a.b", "--sequence", "s", "--remove")
                .refusedWith("either --sequence or --remove");
        on(memory, "install", "--sequence", "s").refusedWith("need --at-commit");
        on(memory, "install", "--at-commit", "a").refusedWith("'a' is not of the form [SCHEMA.]TABLE.COLUMN");
        on(memory, "install", "--at-commit", "a.b", "--remove", "--print", "--tables-only")
                .refusedWith("--tables-only excludes --at-commit");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_refused_connection_is_reported_with_the_reason(Engine engine) throws SQLException, IOException {
        Database database = engine.freshDatabase();
        String user = engine == Engine.MARIADB ? "'stranger'@'%'" : "stranger";
        database.execute(
                engine == Engine.MARIADB
                        ? "CREATE OR REPLACE USER " + user + " IDENTIFIED BY 'right'"
                        : "DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
        if (engine == Engine.MARIADB) {
            on(database.as("stranger", "wrong-secret").url(), "list")
                    .failedWith("rejects this user", "check the user and the password");
        }
        on(elsewhere(database, "nowhere.invalid"), "list")
                .failedWith("cannot be reached", "host 'nowhere.invalid' is unknown");
        on(elsewhere(database, "127.0.0.1:" + unusedPort()), "list")
                .failedWith("cannot be reached", "server is running");
        on(database.url().replace("/t_", "/missing_"), "list").failedWith("no such database", "missing_");
    }

    @Test
    void no_command_reads_a_view_of_another_role() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String name = database.name();
        String role = "stranger_" + name;
        database.execute(
                "CREATE ROLE " + role + " LOGIN PASSWORD 'pass'", "GRANT CREATE ON DATABASE " + name + " TO " + role);
        Database stranger = database.as(role, "pass");
        stranger.execute(
                "CREATE SCHEMA " + database.user(),
                "CREATE FUNCTION " + database.user() + ".ran() RETURNS bigint LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'code of the stranger ran'; END $$",
                "CREATE VIEW " + database.user() + ".seriatim_sequence AS SELECT 'a'::varchar AS name, "
                        + database.user() + ".ran() AS next_value");
        for (String command : List.of(
                "list",
                "show a",
                "next a",
                "next a --mode GROUPED",
                "create b",
                "alter a --increment-by 2",
                "raise a --to 5",
                "restart a --with 1",
                "drop a",
                "sync a --column t.id",
                "install",
                "install --print",
                "install --print --tables-only",
                "create b --print",
                "audit a --column t.id")) {
            on(database.url(), command.split(" ", -1))
                    .failedWith("schema " + database.user() + " belongs to " + role, "seriatim.owner");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://127.0.0.1:1/db?user=u&password=wrong-secret%et, accepts, as %25",
        "jdbc:postgres://127.0.0.1:1/db?user=u&password=wrong-secret, jdbc:postgres://127.0.0.1:1/db, write jdbc:postgresql:",
        "jdbc:mariadb://127.0.0.1:1/db?connectTimeout=soon, the URL is rejected, connectTimeout",
        "jdbc:cloudspanner:/projects/p/instances/i/databases/d, accepts, SERIATIM_CLASSPATH=FILE.jar",
        "jdbc:aws-dsql:postgresql://abc.dsql.eu-west-1.on.aws/postgres?user=admin, accepts, and those it needs",
        "jdbc:postgresql:127.0.0.1:1/db?user=u&password=S3cret, URL 'jdbc:postgresql:127.0.0.1:1/db', write //HOST:5432/DATABASE?user=…&password=… after the product",
        "jdbc:postgresql:/127.0.0.1:1/db, URL 'jdbc:postgresql:/127.0.0.1:1/db', write //HOST:5432/DATABASE?user=…&password=… after the product",
        "jdbc:mariadb:127.0.0.1:1/db?user=u, URL 'jdbc:mariadb:127.0.0.1:1/db', write //HOST:5432/DATABASE?user=…&password=… after the product",
        "jdbc:mariadb://127.0.0.1:port/db?user=u, //127.0.0.1:***', write //HOST:5432/DATABASE?user=…&password=… after the product",
        "jdbc:mariadb:replication://127.0.0.1:1/db?user=u, cannot be reached, server is running",
        "jdbc:sqlite:/no/such/folder/x.db, /no/such/folder/x.db, create the folder first: /no/such/folder",
    })
    void a_wrong_url_is_reported_with_the_right_form(String url, String what, String remedy) {
        on(url, "list").failedWith(what, remedy);
    }

    @Test
    void a_password_that_is_missing_and_a_right_to_the_database_are_reported() throws SQLException {
        for (Engine engine : List.of(Engine.POSTGRESQL, Engine.MARIADB)) {
            Database database = engine.freshDatabase();
            String bare = database.url().replaceFirst("\\?.*", "");
            String name = bare.substring(bare.lastIndexOf('/') + 1);
            String user = "guest_" + name;
            database.execute(
                    engine == Engine.MARIADB
                            ? "CREATE USER " + user + " IDENTIFIED BY 'guests'"
                            : "CREATE ROLE " + user + " LOGIN PASSWORD 'guests'");
            if (engine == Engine.POSTGRESQL) {
                database.execute("REVOKE CONNECT ON DATABASE " + name + " FROM PUBLIC");
            }
            on(bare + "?user=" + user, "list").failedWith("rejects this user", "user=…&password=…");
            on(database.as(user, "guests").url(), "list")
                    .failedWith(bare + " rejects this user", "grant this user access");
            database.execute(
                    engine == Engine.MARIADB
                            ? "GRANT ALL ON " + name + ".* TO " + user
                            : "GRANT CONNECT ON DATABASE " + name + " TO " + user);
            assertThat(on(database.as(user, "guests").url(), "list").code()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_table_that_does_not_fit_is_named_and_left_alone(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute(
                "CREATE TABLE texts (name VARCHAR(64) PRIMARY KEY, next_value VARCHAR(20))",
                "INSERT INTO texts VALUES ('orders', 'many')",
                "CREATE TABLE narrow (name VARCHAR(64) PRIMARY KEY, next_value INTEGER)",
                "INSERT INTO narrow VALUES ('orders', 2147483640)");
        Database plain = database.option("seriatim.kind", "next");
        next(plain.option("seriatim.table", "none")).failedWith("not found in table none");
        next(plain.option("seriatim.table", "texts")).failedWith("'many'", "not a 64-bit integer");
        next(plain.option("seriatim.table", "narrow").option("seriatim.value-column", "value"))
                .failedWith("table narrow", "no such columns", "value");
        CommandLineRun tooNarrow = on(plain.option("seriatim.table", "narrow").url(), "next", "orders", "-n", "20");
        tooNarrow.failedWith("table narrow", "2147483647", "BIGINT", "max-value");
        assertThat(database.number("SELECT next_value FROM narrow")).isEqualTo(2147483640);
    }

    @Test
    void tables_that_a_crash_loses_are_refused() throws SQLException {
        Database mariadb = Engine.MARIADB.freshDatabase();
        mariadb.execute(
                "CREATE TABLE seq_table (seq_name CHAR(10) PRIMARY KEY, last_val BIGINT UNSIGNED) ENGINE=MyISAM");
        Database adopted = mariadb.option("seriatim.kind", "last").option("seriatim.table", "seq_table");
        on(adopted.url(), "list").failedWith("seq_table is MyISAM", "ENGINE = InnoDB");
        on(adopted.option("seriatim.durability", "warn").url(), "create", "test")
                .succeeded();
        Database postgres = Engine.POSTGRESQL.freshDatabase();
        postgres.execute("CREATE UNLOGGED TABLE loose (name TEXT PRIMARY KEY, next_value BIGINT)");
        on(
                        postgres.option("seriatim.kind", "next")
                                .option("seriatim.table", "loose")
                                .url(),
                        "list")
                .failedWith("loose is UNLOGGED", "SET LOGGED");
    }

    @Test
    void a_server_that_takes_no_writes_is_reported_and_so_are_its_settings() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        on(database.url(), "create", "orders").succeeded();
        next(database.option("options", "-c default_transaction_read_only=on"))
                .failedWith("read-only", "name a server that accepts writes");
        next(database.option("options", "-c synchronous_commit=off"))
                .failedWith("synchronous_commit is off", "set synchronous_commit=on", "seriatim.durability=warn");
        assertThat(on(database.url(), "next", "orders").succeeded()).isEqualTo("1\n");
    }

    @Test
    void a_full_pool_and_a_full_server_are_reported() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        on(database.option("seriatim.pool-size", "none").url(), "list").failedWith("pool-size");
        database.execute(
                "CREATE OR REPLACE USER 'few'@'%' IDENTIFIED BY 'x' WITH MAX_USER_CONNECTIONS 1",
                "GRANT ALL ON *.* TO 'few'@'%'");
        Database few = database.as("few", "x");
        try (var only = few.connect()) {
            assertThat(only.isValid(1)).isTrue();
            on(few.url(), "list").failedWith("no free connection");
        }
    }

    private static CommandLineRun next(Database database) {
        return on(database.url(), "next", "orders");
    }

    @Test
    void a_server_that_accepts_connections_and_stays_silent_is_not_waited_for_without_end() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String place = "127.0.0.1:" + silent.getLocalPort() + "/db";
            on("jdbc:postgresql://" + place + "?user=u&password=wrong-secret", "next", "orders")
                    .failedWith(place + " did not answer in time (");
        }
    }

    private static String elsewhere(Database database, String host) {
        return database.url().replaceFirst("//[^/]+/", "//" + host + "/");
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static CommandLineRun on(String store, String... arguments) {
        CommandLineRun run = CommandLineRun.on(store, arguments);
        assertThat(run.err()).doesNotContain("wrong-secret");
        return run;
    }
}
