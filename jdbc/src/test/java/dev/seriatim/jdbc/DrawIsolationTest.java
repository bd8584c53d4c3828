// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.TransactionalSequence;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.table.SequenceTable;
import dev.seriatim.testkit.Crowd;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Draws in transactions that see an older state of the database: each is right, or fails and is repeated. */
@Timeout(120)
class DrawIsolationTest {

    static Stream<Arguments> levels() {
        return Stream.of(Engine.SQLITE, Engine.H2, Engine.POSTGRESQL, Engine.MARIADB, Engine.MYSQL)
                .flatMap(engine -> engine == Engine.SQLITE
                        ? Stream.of(Arguments.of(engine, Connection.TRANSACTION_SERIALIZABLE)) // it has no other
                        : Stream.of(
                                Arguments.of(engine, Connection.TRANSACTION_READ_COMMITTED),
                                Arguments.of(engine, Connection.TRANSACTION_REPEATABLE_READ),
                                Arguments.of(engine, Connection.TRANSACTION_SERIALIZABLE)));
    }

    @ParameterizedTest(name = "{0}, level {1}")
    @MethodSource("levels")
    void numbers_drawn_behind_a_read_are_unique_and_gapless(Engine engine, int level) throws Exception {
        Database database = engine.freshDatabase();
        KeptNumbers kept = new KeptNumbers("kept");
        database.execute(kept.create());
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("s"));
            TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
            String quote = engine == Engine.MARIADB || engine == Engine.MYSQL ? "`" : "\"";
            String counters = "SELECT * FROM " + quote + SequenceTable.DEFAULT_NAME + quote;
            new Crowd(3, 10).each((thread, turn) -> {
                try (Connection connection = database.connect()) {
                    connection.setTransactionIsolation(level);
                    connection.setAutoCommit(false);
                    while (!committed(connection, sequence, kept, counters)) {
                        connection.rollback();
                    }
                }
            });
            try (Connection connection = database.connect()) {
                assertThat(kept.all(connection))
                        .containsExactlyInAnyOrderElementsOf(
                                LongStream.rangeClosed(1, 30).boxed().toList());
            }
            assertThat(store.describe("s").nextValue()).isEqualTo(31);
        }
    }

    /** Whether it was; it was not where a conflict has been told, by the library or by the database. */
    private static boolean committed(
            Connection connection, TransactionalSequence<Connection> sequence, KeptNumbers kept, String counters)
            throws SQLException {
        try {
            look(connection, counters);
            kept.keep(connection, sequence.next(connection));
            connection.commit();
            return true;
        } catch (SequenceException.Overloaded conflict) {
            return false;
        } catch (SQLException e) {
            if (List.of("40001", "40P01").contains(String.valueOf(e.getSQLState()))) {
                return false;
            }
            throw e;
        }
    }

    /** Fixes what the transaction sees. */
    private static void look(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
        }
    }
}
