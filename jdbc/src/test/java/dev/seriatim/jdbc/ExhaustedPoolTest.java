// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.Sequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that has lent all its connections is named as such; the database has nothing to do with it. */
class ExhaustedPoolTest {

    private static HikariDataSource pool(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(300);
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_caller_that_holds_the_last_connection_hears_that_the_pool_is_exhausted(Engine engine) throws SQLException {
        try (HikariDataSource pool = pool(engine.freshDatabase(), 1)) {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (Sequences sequences = Sequences.of(store)) {
                Sequence sequence = sequences.open("s", Allocation.batch(10));
                try (Connection held = pool.getConnection()) {
                    assertThat(held.isValid(1)).isTrue();
                    assertThatThrownBy(sequence::next)
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContainingAll(
                                    "'s'",
                                    "the pool of connections to",
                                    "is exhausted",
                                    "a pool of its own",
                                    "second one")
                            .hasMessageNotContaining("the server");
                    assertThatThrownBy(store::list)
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContaining("is exhausted");
                    assertThatThrownBy(() -> JdbcStore.open(pool))
                            .isInstanceOf(Overloaded.class)
                            .hasMessageContaining("is exhausted");
                }
                assertThat(store.reserve("s", 1).block().first()).isPositive();
            }
        }
    }

    @Test
    void h2s_own_pool_is_known_too() throws SQLException {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:exhausted", "", "");
        pool.setMaxConnections(1);
        pool.setLoginTimeout(1);
        try {
            JdbcStore store = JdbcStore.open(pool);
            store.create(SequenceDefinition.of("s"));
            try (Connection held = pool.getConnection()) {
                assertThat(held.isValid(1)).isTrue();
                assertThatThrownBy(() -> store.reserve("s", 1))
                        .isInstanceOf(Overloaded.class)
                        .hasMessageContaining("is exhausted");
            }
        } finally {
            pool.dispose();
        }
    }

    static Stream<SQLException> ofPools() {
        return Stream.of(
                new SQLTransientConnectionException(
                        "HikariPool-1 - Connection is not available, request timed out after 30001ms"
                                + " (total=8, active=8, idle=0, waiting=3)"),
                new SQLException(
                        "[main] Timeout: Pool empty. Unable to fetch a connection in 30 seconds, none available"
                                + "[size:8; busy:8; idle:0; lastwait:30000]."),
                new SQLException(
                        "Cannot get a connection, pool error Timeout waiting for idle object",
                        new NoSuchElementException("Timeout waiting for idle object")),
                new SQLException("An attempt by a client to checkout a Connection has timed out."),
                new SQLException("Sorry, acquisition timeout!"),
                new SQLException("Acquisition timeout while waiting for new connection", new TimeoutException()),
                new SQLException("Login timeout", "08001", 8001));
    }

    @ParameterizedTest
    @MethodSource("ofPools")
    void the_words_of_the_common_pools_are_known(SQLException e) {
        assertThat(ExhaustedPool.is(e)).isTrue();
    }

    @Test
    void a_pool_that_cannot_connect_is_not_exhausted() {
        SQLException refused = new SQLException("Connection to localhost:5432 refused", "08001");
        assertThat(ExhaustedPool.is(refused)).isFalse();
        assertThat(ExhaustedPool.is(new SQLTransientConnectionException(
                        "HikariPool-1 - Connection is not available, request timed out after 300ms", "08001", refused)))
                .isFalse();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/none");
        config.setInitializationFailTimeout(-1);
        config.setConnectionTimeout(300);
        try (HikariDataSource down = new HikariDataSource(config)) {
            assertThatThrownBy(() -> JdbcStore.open(down))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageContainingAll("cannot be reached", "check the host");
        }
    }
}
