// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.connection.ConnectionOptions;
import dev.seriatim.cli.CommandLineRun;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The command on Spanner through JDBC. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
@ResourceLock(JdbcEmulator.CONNECTIONS)
class JdbcCommandTest {

    private final JdbcEmulator database = JdbcEmulator.create(form());

    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.GOOGLE_SQL;
    }

    @AfterAll
    static void closeClient() {
        ConnectionOptions.closeSpanner(); // fails if connections were not closed
    }

    @Test
    void creates_draws_and_shows_with_our_options_among_the_drivers() {
        String url = database.url("seriatim.table=numbers", "autoConfigEmulator=true", "seriatim.pool-size=2");
        on(url, "create", "order_id", "--start-with", "100").succeeded();
        assertThat(on(url, "next", "order_id", "-n", "2").succeeded()).isEqualTo("100\n101\n");
        assertThat(on(url, "next", "order_id", "-n", "2", "--mode", "GROUPED").succeeded())
                .isEqualTo("102\n103\n");
        assertThat(on(url, "show", "order_id").succeeded()).contains("next value    104");
        assertThat(database.numbers("SELECT next_value FROM numbers")).containsExactly(104L);
    }

    @Test
    void a_printed_migration_runs_twice_and_the_client_prints_only_the_table() throws SQLException {
        String url = database.url("autoConfigEmulator=true");
        String script = on(url, "create", "order's id", "--start-with", "100", "--print")
                .succeeded();
        String[] statements = script.substring(0, script.lastIndexOf(";\n\n--")).split(";\n", -1);
        assertThat(statements).hasSize(2);
        for (int i = 0; i < 2 * statements.length; i++) {
            database.execute(statements[i % statements.length]);
        }
        assertThat(on(url, "next", "order's id").succeeded()).isEqualTo("100\n");
        long now = System.currentTimeMillis();
        assertThat(database.numbers("SELECT epoch FROM seriatim_sequence"))
                .singleElement()
                .satisfies(epoch -> assertThat(epoch).isBetween(now - 60_000, now + 60_000));
        if (database.form().isPostgres()) {
            return;
        }
        String client = "spanner:" + database.database().id().getName() + "?emulator="
                + database.database().address();
        assertThat(on(client, "install", "--print", "--tables-only").succeeded())
                .startsWith("CREATE TABLE IF NOT EXISTS `seriatim_sequence`");
        on(client, "create", "more", "--print").failedWith("holds no rows", "jdbc:cloudspanner:");
    }

    @Test
    void says_in_one_line_what_is_wrong_and_keeps_secrets() {
        String url = database.url();
        on(url, "next", "s").failedWith("'s'", "not found in table seriatim_sequence of");
        on(url.replace("/databases/", "/databases/no-"), "next", "s")
                .failedWith("there is no such database", "/databases/no-");
        on(url.replace("/instances/", "/instances/no-"), "next", "s")
                .failedWith("there is no such database", "Instance not found");
        CommandLineRun rejected = on(url + ";oauthToken=hunter2;colour=red", "next", "s");
        rejected.failedWith("the URL is rejected", "colour");
        assertThat(rejected.err()).doesNotContain("hunter2");
        CommandLineRun misspelt = on(url + ";seriatim.tabel=t;oauthToken=hunter2", "next", "s");
        misspelt.failedWith("unknown option 'seriatim.tabel'");
        assertThat(misspelt.err()).doesNotContain("hunter2", "oauthToken");
        on(database.url("seriatim.sequences=native"), "next", "s").failedWith("native sequences require");
    }

    @Test
    void keeps_sequences_in_a_schema() throws SQLException {
        String url = database.url("seriatim.table=acme.numbers");
        on(url, "create", "s").failedWith("there is no schema 'acme'; create it with CREATE SCHEMA acme");
        database.execute("CREATE SCHEMA acme");
        on(url, "create", "s").succeeded();
        assertThat(on(url, "next", "s", "-n", "2").succeeded()).isEqualTo("1\n2\n");
        assertThat(on(url, "list").succeeded()).contains("s ");
        assertThat(on(url, "install", "--print").succeeded()).contains("acme", "GRANT USAGE ON SCHEMA");
        on(database.url(), "next", "s").failedWith("not found in table seriatim_sequence of");
        assertThat(database.numbers("SELECT next_value FROM acme.numbers")).containsExactly(3L);
        on(url, "drop", "s").succeeded();
        assertThat(database.numbers("SELECT next_value FROM acme.numbers")).isEmpty();
        on(database.url("seriatim.table=acme.a-b"), "list").failedWith("the table 'a-b' is not a plain identifier");
    }

    @Test
    void needs_credentials_where_there_is_no_emulator() {
        SpannerCommandTest.inOwnProcess(
                        "jdbc:cloudspanner:/" + database.database().id().getName(), "next", "s")
                .failedWith("rejects this user", "gcloud auth");
    }
}
