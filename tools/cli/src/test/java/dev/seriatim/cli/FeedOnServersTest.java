// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code feed} on servers, where passes give the positions. */
@Timeout(300)
class FeedOnServersTest {

    private static Database withOrders(Database database) throws SQLException {
        database.execute(
                "CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(20))",
                "INSERT INTO orders VALUES (7, 'a'), (3, 'b')");
        return database;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void every_action_works(Engine engine) throws SQLException {
        Database database = withOrders(engine.freshDatabase());
        String store = database.url();
        assertThat(on(store, "feed", "create", "orders").succeeded()).startsWith("created feed 'orders' in ");
        CommandLineRun early = on(store, "feed", "read", "orders");
        assertThat(early.err()).isEqualTo("feed 'orders' has no entries after 0; 'feed stamp' enters 2 rows\n");
        assertThat(on(store, "feed", "list").succeeded()).containsPattern("\norders .* 0 +2\n");
        on(store, "feed", "stamp", "orders").printed("stamped 2 rows; feed 'orders' ends at 2\n");
        assertThat(on(store, "feed", "read", "orders", "--columns", "note", "--format", "csv")
                        .succeeded())
                .isEqualTo("position,id,note\n1,3,b\n2,7,a\n");
        assertThat(on(store, "feed", "install").succeeded())
                .startsWith("installed in ")
                .doesNotContain("without");
        on(store, "feed", "reader", "orders", "billing", "--to", "1").succeeded();
        on(store, "feed", "trim", "orders").printed("removed 1 position of feed 'orders'\n");
        on(store, "feed", "check", "orders").succeeded();
        on(store, "feed", "drop", "orders").succeeded();
        database.execute("INSERT INTO orders VALUES (9, 'c')");
    }

    @Test
    void the_printed_script_makes_the_feed() throws SQLException {
        Database database = withOrders(Engine.POSTGRESQL.freshDatabase());
        String script = on(database.url(), "feed", "create", "orders", "--name", "sales", "--print")
                .succeeded();
        assertThat(script).contains("BEGIN;\n", "COMMIT;\n-- GRANT ");
        on(database.url(), "feed", "show", "sales").failedWith("feed 'sales' not found");
        database.execute(script);
        on(database.url(), "feed", "stamp", "sales").printed("stamped 2 rows; feed 'sales' ends at 2\n");
        assertThat(database.number("SELECT count(*) FROM sales_feed WHERE position > 0"))
                .isEqualTo(2);
    }

    @Test
    void show_names_the_session_that_holds_the_feed() throws SQLException {
        Database database = withOrders(Engine.POSTGRESQL.freshDatabase());
        on(database.url(), "feed", "create", "orders").succeeded();
        assertThat(on(database.url(), "feed", "show", "orders").succeeded()).doesNotContain("held by");
        try (Connection holder = database.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT 1 FROM seriatim_feed WHERE name = 'orders' FOR UPDATE");
            assertThat(on(database.url(), "feed", "show", "orders").succeeded())
                    .contains("\nwaiting       2 rows\n")
                    .containsPattern("\nheld by +session \\d+ \\(idle in transaction");
            assertThat(on(database.url(), "feed", "show", "orders", "--format", "json")
                            .succeeded())
                    .containsPattern("\"held_by\": \\[\\s+\"session \\d+");
        }
    }

    @Test
    void check_finds_a_disabled_trigger() throws SQLException {
        Database database = withOrders(Engine.POSTGRESQL.freshDatabase());
        on(database.url(), "feed", "create", "orders").succeeded();
        database.execute("ALTER TABLE orders DISABLE TRIGGER orders_arrives", "INSERT INTO orders VALUES (8, 'c')");
        CommandLineRun found = on(database.url(), "feed", "check", "orders");
        found.endedWith(3, "feed 'orders' has 2 faults; --mend enters the rows");
        assertThat(found.out()).contains("trigger orders_arrives is disabled", "1 row has no entry");
        database.execute("ALTER TABLE orders ENABLE TRIGGER orders_arrives");
        assertThat(on(database.url(), "feed", "check", "orders", "--mend").succeeded())
                .isEqualTo("entered 1 row into feed 'orders'\nfeed 'orders' has no fault\n");
        on(database.url(), "feed", "stamp", "orders").printed("stamped 3 rows; feed 'orders' ends at 3\n");
    }

    @Test
    void stamp_follows_until_it_is_asked_to_end() throws Exception {
        Database database = withOrders(Engine.POSTGRESQL.freshDatabase());
        on(database.url(), "feed", "create", "orders").succeeded();
        Process process = follow(database);
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).startsWith("stamping feed 'orders' in ").endsWith(" until interrupted");
            awaitLast(database, 2);
            database.execute("INSERT INTO orders VALUES (9, 'c')");
            awaitLast(database, 3);
            process.toHandle().destroy(); // which, other than the process, keeps its output open
            assertThat(process.waitFor()).isEqualTo(128 + 15);
            assertThat(out.readLine()).isNull();
            assertThat(err.readLine()).isNull();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void stamp_ends_with_its_feed() throws Exception {
        Database database = withOrders(Engine.POSTGRESQL.freshDatabase());
        on(database.url(), "feed", "create", "orders").succeeded();
        Process process = follow(database);
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            awaitLast(database, 2);
            on(database.url(), "feed", "drop", "orders").succeeded();
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(err.lines()).singleElement().asString().startsWith("seriatim: feed 'orders' not found");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("long")
    void stamp_goes_on_after_the_server_was_lost() throws Exception {
        try (Server server = Server.postgresql(Map.of())) {
            Database database = withOrders(server.freshDatabase());
            on(database.url(), "feed", "create", "orders").succeeded();
            Process process = follow(database);
            try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
                awaitLast(database, 2);
                server.kill();
                assertThat(err.readLine()).startsWith("seriatim: ").contains(server.address());
                server.restart();
                database.execute("INSERT INTO orders VALUES (9, 'c')");
                awaitLast(database, 3);
                process.toHandle().destroy();
                assertThat(err.lines()).last().isEqualTo("seriatim: stamping feed 'orders' again");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process follow(Database database) throws IOException {
        ProcessBuilder java = ProgramRun.java(
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "feed",
                "stamp",
                "orders",
                "--follow");
        java.environment().put("SERIATIM_STORE", database.url());
        Process process = java.start();
        assumeTrue(process.supportsNormalTermination(), "a system that can ask a process to end");
        return process;
    }

    private static void awaitLast(Database database, long position) throws Exception {
        while (database.number("SELECT coalesce(max(position), 0) FROM orders_positions") < position) {
            Thread.sleep(20);
        }
    }
}
