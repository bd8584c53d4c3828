// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exceptions of servers that speak PostgreSQL's protocol are classified correctly; {@code DetectionTest} covers
 * detection.
 */
class PostgresFamilyTest {

    private static final String DUPLICATE = "ERROR: duplicate key value violates unique constraint ";

    private static Stream<Dialect> all() {
        return Stream.of(new PostgresDialect(false), new DsqlDialect());
    }

    @ParameterizedTest
    @CsvSource({
        "40001, CONFLICT",
        "40P01, CONFLICT",
        "42P07, CONFLICT",
        "42710, CONFLICT",
        "55P03, TIMED_OUT",
        "57014, TIMED_OUT",
        "25P02, SPOILED",
        "42P01, MISSING_TABLE",
        "3F000, MISSING_TABLE",
        "42703, MISSING_COLUMN",
        "42883, WRONG_TYPE",
        "42804, WRONG_TYPE",
        "22003, WRONG_TYPE",
        "22P02, WRONG_TYPE",
        "42846, WRONG_TYPE",
        "42501, DENIED",
        "25006, READ_ONLY",
        "53100, FULL",
        "53300, NO_TURN",
        "57P01, LOST",
        "57P02, LOST",
        "57P03, LOST",
        "57P05, LOST",
        "08006, LOST",
        "08P01, LOST",
        "23502, VIOLATION",
        "23514, VIOLATION",
        "40003, OTHER",
        "XX000, OTHER",
        "58030, OTHER",
        "P0001, OTHER",
    })
    void knows_what_an_exception_means_by_its_state(String state, Fault fault) {
        SQLException e = new SQLException("ERROR: it is so", state);
        assertThat(all()).allSatisfy(dialect -> assertThat(dialect.fault(e)).isEqualTo(fault));
    }

    @Test
    void a_key_of_the_engines_own_catalogue_was_taken_by_another_session_and_any_other_is_a_duplicate() {
        assertThat(new PostgresDialect(false)
                        .fault(new SQLException(DUPLICATE + "\"pg_type_typname_nsp_index\"", "23505")))
                .isEqualTo(Fault.CONFLICT);
        assertThat(new PostgresDialect(false).fault(new SQLException(DUPLICATE + "\"invoice_pkey\"", "23505")))
                .isEqualTo(Fault.DUPLICATE);
        String german =
                "FEHLER: doppelter Schlüsselwert verletzt Unique-Constraint »%s«\n  Detail: Schlüssel (a)=(»pg_x«)";
        assertThat(new PostgresDialect(false)
                        .fault(new SQLException(german.formatted("pg_type_typname_nsp_index"), "23505")))
                .isEqualTo(Fault.CONFLICT);
        assertThat(new PostgresDialect(false).fault(new SQLException(german.formatted("invoice_pkey"), "23505")))
                .isEqualTo(Fault.DUPLICATE);
        assertThat(new PostgresDialect(false).fault(new SQLException(null, "23505")))
                .isEqualTo(Fault.DUPLICATE);
    }

    @Test
    void what_the_driver_says_without_a_state_is_in_doubt() {
        SQLException e = new SQLException("Bad value for type long");
        assertThat(all()).allSatisfy(dialect -> {
            assertThat(dialect.fault(e)).isEqualTo(Fault.OTHER);
            assertThat(dialect.refusesCommit(e)).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "23505", "23514", "P0001", "25P02", "57014", "53100", "22012"})
    void a_commit_that_the_server_answers_with_an_error_has_committed_nothing(String state) {
        SQLException e = new SQLException("ERROR: raised by a deferred trigger", state);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.refusesCommit(e)).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "08003", "57P01", "57P02", "57P03", "58030", "XX000", "40003", "HY0001", "hy000", ""})
    void a_commit_that_met_trouble_of_the_server_or_the_connection_is_in_doubt(String state) {
        SQLException e = new SQLException("FATAL: terminating connection", state);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.refusesCommit(e)).isFalse());
    }

    @ParameterizedTest
    @CsvSource({"55P03, true", "57014, true", "40001, false", "25P02, false"})
    void a_lock_was_held_by_another_session_when_the_wait_for_it_has_ended(String state, boolean held) {
        SQLException e = new SQLException("ERROR: canceling statement", state);
        assertThat(all()).allSatisfy(dialect -> assertThat(dialect.lockHeld(e)).isEqualTo(held));
    }
}
