// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/**
 * Distinguishes an exhausted pool's exception from that of an unreachable database; {@code ExhaustedPoolTest} uses
 * real pools.
 */
class ExhaustedPoolWordsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HikariPool-1 - Connection is not available, request timed out after 300ms",
                "Timeout: Pool empty. Unable to fetch a connection in 30 seconds",
                "pool error Timeout waiting for idle object",
                "Cannot get a connection, pool exhausted",
                "An attempt by a client to checkout a Connection has timed out.",
                "Sorry, acquisition timeout!",
                "Couldn't obtain SQL connection from pool.",
                "All connections in the Universal Connection Pool are in use",
                "Login timeout",
                "Login timeout [8001-240]"
            })
    void it_is_known_by_the_words_of_its_makers(String message) {
        assertThat(ExhaustedPool.is(new SQLException(message, "08001"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"The login timeout of the user was reached", "Connection refused", ""})
    void other_words_are_the_databases(String message) {
        assertThat(ExhaustedPool.is(new SQLException(message, "08001"))).isFalse();
        assertThat(ExhaustedPool.is(new SQLException((String) null))).isFalse();
    }

    @Test
    void a_transient_failure_is_the_pools_unless_its_state_names_the_connection() {
        assertThat(ExhaustedPool.is(new SQLTransientConnectionException("none")))
                .isTrue();
        assertThat(ExhaustedPool.is(new SQLTransientConnectionException("none", "HY000")))
                .isTrue();
        assertThat(ExhaustedPool.is(new SQLTransientConnectionException("none", "08001")))
                .isFalse();
    }

    @Test
    void a_wait_that_ended_is_found_among_the_causes() {
        assertThat(ExhaustedPool.is(new SQLException("none", new TimeoutException())))
                .isTrue();
        assertThat(ExhaustedPool.is(new SQLException("none", new RuntimeException(new NoSuchElementException()))))
                .isTrue();
        assertThat(ExhaustedPool.is(new SQLException("none", new RuntimeException(new IllegalStateException()))))
                .isFalse();
    }

    @Test
    void causes_that_go_in_a_circle_are_followed_for_a_while_only() {
        RuntimeException first = new RuntimeException("first");
        first.initCause(new RuntimeException("second", first));
        assertThat(ExhaustedPool.is(new SQLException("none", first))).isFalse();
    }

    @Test
    void a_timeout_without_a_state_is_the_pools() {
        assertThat(ExhaustedPool.is(new SQLTimeoutException("none"))).isTrue();
        assertThat(ExhaustedPool.is(new SQLTimeoutException("none", "08001"))).isFalse();
    }

    @Test
    void what_says_why_a_connection_could_not_be_made_is_about_that() {
        SQLException refused = new SQLException("Connection refused", "08001");
        assertThat(ExhaustedPool.is(new SQLException("Login timeout", refused))).isFalse();
    }

    @Test
    void it_is_told_with_how_long_was_waited() {
        SQLException e = new SQLException("pool\nexhausted");
        assertThat((Throwable) ExhaustedPool.told(e, 300))
                .hasMessage("waited 300 ms: pool exhausted")
                .hasCause(e);
        assertThat(ExhaustedPool.told(e, 300).fault()).isEqualTo(Fault.NO_CONNECTION);
    }

    @Test
    void it_is_still_known_if_a_word_of_its_class_is_the_password() {
        SQLiteDataSource empty = new SQLiteDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLTransientConnectionException("none for seriatim");
            }
        };
        Lender lender = new Lender(empty, connection -> false, new Scrubbing(text -> text.replace("seriatim", "***")));
        assertThatThrownBy(() -> lender.look(connection -> true))
                .isInstanceOfSatisfying(
                        ClassifiedException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_CONNECTION))
                .hasMessageContaining("none for ***");
    }
}
