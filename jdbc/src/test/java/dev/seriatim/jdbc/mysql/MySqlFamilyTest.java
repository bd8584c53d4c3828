// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exceptions of servers that speak MySQL's protocol are classified correctly; {@link MySqlCommitErrorsTest} covers
 * commits.
 */
class MySqlFamilyTest {

    private static Stream<Dialect> all() {
        return Stream.of(
                new MySqlDialect(),
                new MariaDbDialect(false, true, true, true),
                new MariaDbDialect(true, true, true, true));
    }

    private static void means(SQLException e, Fault fault) {
        assertThat(all()).allSatisfy(dialect -> assertThat(dialect.fault(e)).isEqualTo(fault));
    }

    @ParameterizedTest
    @CsvSource({
        "1213, CONFLICT",
        "1020, CONFLICT",
        "3101, CONFLICT",
        "1205, TIMED_OUT",
        "3572, TIMED_OUT",
        "1969, TIMED_OUT",
        "3024, TIMED_OUT",
        "1412, TIMED_OUT",
        "1062, DUPLICATE",
        "1146, MISSING_TABLE",
        "1049, MISSING_TABLE",
        "1054, MISSING_COLUMN",
        "1264, WRONG_TYPE",
        "1366, WRONG_TYPE",
        "1292, WRONG_TYPE",
        "1690, WRONG_TYPE",
        "1142, DENIED",
        "1143, DENIED",
        "1044, DENIED",
        "1227, DENIED",
        "1370, DENIED",
        "1290, READ_ONLY",
        "1792, READ_ONLY",
        "1836, READ_ONLY",
        "1114, FULL",
        "1021, FULL",
        "3, FULL",
        "1040, NO_TURN",
        "1203, NO_TURN",
        "1226, NO_TURN",
        "1317, OTHER",
        "1665, OTHER",
    })
    void knows_what_an_exception_means_by_its_code(int code, Fault fault) {
        means(new SQLException("it is so", "HY000", code), fault);
    }

    @ParameterizedTest
    @CsvSource({"40001, CONFLICT", "08S01, LOST", "08003, LOST", "70100, LOST", "HY000, OTHER", "42000, OTHER"})
    void knows_by_its_state_what_has_no_code_of_its_own(String state, Fault fault) {
        means(new SQLException("(conn=7) it is so", state, 0), fault);
        means(new SQLException("(conn=7) it is so", state, 1927), fault);
    }

    @Test
    void the_drivers_own_refusal_to_write_has_no_code() {
        String refusal = "Connection is read-only. Queries leading to data modification are not allowed";
        means(new SQLException(refusal, "S1009", 0), Fault.READ_ONLY);
        means(new SQLException("Parameter index out of range", "S1009", 0), Fault.OTHER);
    }

    @Test
    void the_drivers_own_timeout_has_neither_code_nor_state() {
        SQLException timeout = new SQLTimeoutException("Statement cancelled due to timeout or client request");
        SQLException other = new SQLException("Parameter index out of range");
        means(timeout, Fault.TIMED_OUT);
        means(other, Fault.OTHER);
        assertThat(all()).allSatisfy(dialect -> {
            assertThat(dialect.lockHeld(timeout)).isTrue();
            assertThat(dialect.lockHeld(other)).isFalse();
            assertThat(dialect.refusesCommit(other)).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "23000", "25006", "42000", "45000"})
    void a_commit_that_breaks_a_rule_has_committed_nothing(String state) {
        SQLException e = new SQLException("it is so", state, 9999);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.refusesCommit(e)).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"HY000", "08S01", "70100", "00000", ""})
    void a_commit_is_in_doubt_when_the_server_says_nothing_of_the_transaction(String state) {
        SQLException e = new SQLException("it is so", state, 9999);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.refusesCommit(e)).isFalse());
    }

    @ParameterizedTest
    @CsvSource({
        "0,    25S03, Driver has reconnect connection after a communications failure with h:1 during a COMMIT statement",
        "1040, 08004, Too many connections",
        "1044, 42000, Access denied for user 'u' to database 'd'",
        "1047, 08S01, WSREP has not yet prepared node for application use",
        "1049, 42000, Unknown database 'd'",
        "1203, 42000, User u already has more than 'max_user_connections' active connections",
    })
    void a_commit_is_in_doubt_after_the_driver_has_connected_again_or_could_not(int code, String state, String said) {
        SQLException e = new SQLException(said, state, code);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.refusesCommit(e)).isFalse());
    }

    @Test
    void a_query_that_was_killed_has_waited_for_a_lock_on_mysql_alone() {
        SQLException killed = new SQLException("Query execution was interrupted", "70100", 1317);
        assertThat(new MySqlDialect().lockHeld(killed)).isTrue();
        assertThat(new MariaDbDialect(false, true, true, true).lockHeld(killed)).isFalse();
        SQLException newer = new SQLException("Table definition has changed, please retry transaction", "HY000", 1412);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.lockHeld(newer)).isFalse());
        SQLException deadlock = new SQLException("Deadlock found when trying to get lock", "40001", 1213);
        assertThat(all())
                .allSatisfy(dialect -> assertThat(dialect.lockHeld(deadlock)).isFalse());
    }
}
