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
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.testkit.Landing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                Connection transaction = database.connect()) {
            List<StoreSequences> opened = new ArrayList<>();
            PooledSequence<Connection> pooled = Landing.awaited(store, "s", opened);
            assertThat(store.<Long, RuntimeException>inTransaction(pooled::next))
                    .isEqualTo(1);
            transaction.setAutoCommit(false);
            execute(transaction, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            read(transaction);
            assertThat(store.<Long, RuntimeException>inTransaction(pooled::next))
                    .isEqualTo(2);
            assertThatThrownBy(() -> pooled.next(transaction))
                    .isInstanceOf(SequenceException.Overloaded.class)
                    .hasMessageContaining("roll the whole transaction back");
            transaction.rollback();
            assertThat(pooled.next(transaction)).isEqualTo(3);
            transaction.commit();
            opened.get(0).close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_number_drawn_since_is_no_conflict_where_MariaDb_guards_its_snapshots(boolean laidOut) throws SQLException {
        Database database = create(Engine.MARIADB);
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                StoreSequences sequences = StoreSequences.of(store);
                Connection transaction = database.connect()) {
            Function<Connection, Long> sequence =
                    laidOut ? sequences.pooled("s", store)::next : TransactionalSequence.of(store, "s")::next;
            transaction.setAutoCommit(false);
            execute(transaction, "SET innodb_snapshot_isolation = ON");
            for (long expected = 1; expected < 20; expected += 2) {
                read(transaction);
                assertThat(store.<Long, RuntimeException>inTransaction(sequence::apply))
                        .isEqualTo(expected);
                assertThat(sequence.apply(transaction)).isEqualTo(expected + 1);
                transaction.commit();
            }
        }
    }

    @Test
    void a_first_draw_and_the_function_see_the_newest_counter_and_other_statements_see_the_snapshot()
            throws SQLException {
        Database database = create(Engine.MARIADB);
        try (JdbcStore store = JdbcStore.open(database.dataSource());
                JdbcStore cold = JdbcStore.open(database.dataSource());
                Connection transaction = database.connect()) {
            TransactionalSequence<Connection> elsewhere = TransactionalSequence.of(store, "s");
            transaction.setAutoCommit(false);
            execute(transaction, "SET innodb_snapshot_isolation = ON");
            for (boolean function : List.of(false, true)) {
                read(transaction);
                long seen = store.<Long, RuntimeException>inTransaction(elsewhere::next);
                long next = function
                        ? number(transaction, "SELECT next_val('s')")
                        : TransactionalSequence.of(cold, "s").next(transaction);
                assertThat(next).isEqualTo(seen + 1);
                transaction.commit();
            }
            read(transaction);
            database.execute("UPDATE seriatim_sequence SET cache = 7");
            assertThatThrownBy(() -> execute(transaction, "UPDATE seriatim_sequence SET cache = 8"))
                    .hasMessageContaining("Record has changed");
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
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

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Takes the snapshot. */
    private static void read(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM seriatim_sequence").close();
        }
    }
}
