// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** Missing software is skipped unless it is required, and required names must be known. */
class AvailabilityTest {
    private static final Optional<String> MISSING = Optional.of("it is a test");

    private final ByteArrayOutputStream reported = new ByteArrayOutputStream();

    private Availability with(Map<String, String> environment) {
        return new Availability(environment, new PrintStream(reported, true, StandardCharsets.UTF_8));
    }

    private Availability requiring(String names) {
        return with(Map.of("SERIATIM_TEST_REQUIRE", names));
    }

    @Test
    void what_is_missing_is_skipped_and_reported_once() {
        Availability availability = requiring("galera");
        assertThatThrownBy(() -> availability.demand("MariaDB", MISSING))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("MariaDB");
        assertThatThrownBy(() -> availability.demand("MariaDB", MISSING)).isInstanceOf(TestAbortedException.class);

        assertThat(reported.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("skipped: MariaDB, because it is a test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "MariaDB", "galera, MARIADB"})
    void what_is_missing_but_required_fails(String names) {
        assertThatThrownBy(() -> requiring(names).demand("MariaDB", MISSING))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("SERIATIM_TEST_REQUIRE");
    }

    @Test
    void everything_that_tests_ask_for_can_be_required() {
        Availability all = requiring(
                "sqlite,h2,postgresql,mariadb,galera,mysql,sql server,spanner,browser,pgbouncer,postgresql of the system");
        assertThatCode(() -> all.demand("SQLite", Optional.empty())).doesNotThrowAnyException();
        assertThatThrownBy(() -> all.demand("Spanner", MISSING)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> all.demand("PostgreSQL of the system", MISSING))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres,mysql8,maria", "mariadb,", "mariadb galera", "true"})
    void a_name_that_does_not_exist_fails_whatever_is_asked_for_and_there(String names) {
        assertThatThrownBy(() -> requiring(names).demand("SQLite", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "SERIATIM_TEST_REQUIRE must be one or more of sqlite, h2, postgresql, mariadb, galera, mysql, sql server, spanner,"
                                + " browser, pgbouncer, postgresql of the system, separated by commas, not '"
                                + names + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void nothing_need_be_required(String names) {
        assertThatCode(() -> requiring(names).demand("SQLite", Optional.empty()))
                .doesNotThrowAnyException();
        assertThatCode(() -> with(Map.of("HOME", "/")).demand("SQLite", Optional.empty()))
                .doesNotThrowAnyException();
    }

    @Test
    void software_that_cannot_be_required_fails() {
        assertThatThrownBy(() -> requiring("").demand("Postgres", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown software: Postgres");
    }

    @Test
    void a_variable_that_does_not_exist_fails() {
        Availability given = with(Map.of("SERIATIM_TEST_POSTGRES_URL", "jdbc:postgresql://127.0.0.1/x"));
        assertThatThrownBy(() -> given.demand("SQLite", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "unknown variable SERIATIM_TEST_POSTGRES_URL; known: SERIATIM_TEST_SQLITE_URL, ")
                .hasMessageContaining(" SERIATIM_TEST_POSTGRESQL_URL, ")
                .hasMessageNotContaining("127.0.0.1");
    }

    @Test
    void variables_that_exist_are_no_mistake() {
        Availability given = with(Map.of(
                "SERIATIM_TEST_MYSQL_HOME", "/x",
                "SERIATIM_TEST_MARIADB_HOME", "/x",
                "SERIATIM_TEST_GALERA_URL", "x",
                "SERIATIM_TEST_COUCHBASE", "x"));
        assertThatCode(() -> given.demand("SQLite", Optional.empty())).doesNotThrowAnyException();
    }

    @Test
    void a_program_that_is_named_is_there() {
        assertThat(Commands.given("V", null, "")).isEmpty();
        assertThat(Commands.given("V", "", "")).isEmpty();
        assertThat(Commands.given("V", "/bin/sh", "")).hasToString("Optional[/bin/sh]");
        assertThat(Commands.given("V", "/", "bin/sh")).hasToString("Optional[/bin/sh]");
        assertThatThrownBy(() -> Commands.given("V", "/nowhere", "bin/mysqld"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("V is '/nowhere', but /nowhere/bin/mysqld is not a program");
        assertThatThrownBy(() -> Commands.given("V", "/bin", "")).isInstanceOf(IllegalArgumentException.class);
    }
}
