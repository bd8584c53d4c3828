// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command on Spanner through JDBC, in separate processes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class JdbcCommandTest {

    private final JdbcEmulator database = JdbcEmulator.create();

    @Test
    void creates_draws_and_shows_with_our_options_among_the_drivers() {
        String url = database.url("seriatim.table=numbers", "autoConfigEmulator=true", "seriatim.pool-size=2");
        assertThat(CommandOutcome.of(url, "create", "order_id", "--start-with", "100")
                        .err())
                .isEmpty();
        CommandOutcome.of(url, "next", "order_id", "-n", "2").done("100\n101\n");
        CommandOutcome.of(url, "next", "order_id", "-n", "2", "--mode", "GROUPED")
                .done("102\n103\n");
        CommandOutcome shown = CommandOutcome.of(url, "show", "order_id");
        assertThat(shown.err()).isEmpty();
        assertThat(shown.out()).contains("next value    104");
        assertThat(database.numbers("SELECT next_value FROM numbers")).containsExactly(104L);
    }

    @Test
    void says_in_one_line_what_is_wrong_and_keeps_secrets() {
        String url = database.url();
        CommandOutcome.of(url, "next", "s").failed("'s'", "not found in table seriatim_sequence of");
        CommandOutcome.of(url.replace("/databases/", "/databases/no-"), "next", "s")
                .failed("there is no such database", "/databases/no-");
        CommandOutcome.of(url.replace("/instances/", "/instances/no-"), "next", "s")
                .failed("there is no such database", "Instance not found");
        assertThat(CommandOutcome.of(url + ";oauthToken=hunter2;colour=red", "next", "s")
                        .failed("the URL is rejected", "colour")
                        .err())
                .doesNotContain("hunter2");
        assertThat(CommandOutcome.of(url + ";seriatim.tabel=t;oauthToken=hunter2", "next", "s")
                        .failed("unknown option 'seriatim.tabel'")
                        .err())
                .doesNotContain("hunter2", "oauthToken");
        CommandOutcome.of(database.url("seriatim.sequences=native"), "next", "s")
                .failed("native sequences require");
        CommandOutcome.of("jdbc:cloudspanner:/" + database.database().id().getName(), "next", "s")
                .failed("rejects this user", "gcloud auth");
    }

    @Test
    void refuses_the_dialect_of_postgresql() {
        String other =
                database.url("autoConfigEmulator=true", "dialect=POSTGRESQL").replace("/databases/", "/databases/pg-");
        CommandOutcome.of(other, "create", "s")
                .failed("'Google Cloud Spanner PostgreSQL' is not supported", "Spanner (GoogleSQL)");
    }
}
