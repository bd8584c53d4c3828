// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that cannot see what was committed after it began gets an error that says so, and succeeds when
 * retried.
 */
class PoolIsolationTest {

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void numbers_laid_out_later_are_invisible_to_a_snapshot_of_PostgreSQL(int isolation) throws SQLException {
        Database database = create(Engine.POSTGRESQL);
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(store);
                Connection transaction = database.connect()) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            transaction.setAutoCommit(false);
            transaction.setTransactionIsolation(isolation);
            read(transaction);
            assertThatThrownBy(() -> pooled.next(transaction, 1000))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("invisible")
                    .hasMessageContaining("READ COMMITTED");
            transaction.rollback();
            assertThat(pooled.next(transaction)).isEqualTo(1);
            transaction.commit();
        }
    }

    @Test
    void a_number_claimed_since_is_a_conflict_under_a_snapshot_of_PostgreSQL() throws SQLException {
        Database database = create(Engine.POSTGRESQL);
        claimedSince(database, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void a_number_claimed_since_is_a_conflict_where_MariaDb_guards_its_snapshots(Engine engine) throws SQLException {
        Database database = create(engine);
        claimedSince(database, "SET innodb_snapshot_isolation = ON");
    }

    private static void claimedSince(Database database, String first) throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(store);
                Connection transaction = database.connect()) {
            PooledSequence<Connection> pooled = sequences.pooled("s", store);
            assertThat(store.<Long, RuntimeException>inTransaction(pooled::next))
                    .isEqualTo(1);
            transaction.setAutoCommit(false);
            try (Statement statement = transaction.createStatement()) {
                statement.execute(first);
            }
            read(transaction);
            assertThat(store.<Long, RuntimeException>inTransaction(pooled::next))
                    .isEqualTo(2);
            assertThatThrownBy(() -> pooled.next(transaction))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("roll the whole transaction back");
            transaction.rollback();
            assertThat(pooled.next(transaction)).isEqualTo(3);
            transaction.commit();
        }
    }

    private static Database create(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.install();
            store.create(SequenceDefinition.of("s"));
            store.create(SequenceDefinition.of("other"));
        }
        return database;
    }

    /** Takes the snapshot. */
    private static void read(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM seriatim_sequence").close();
        }
    }
}
