// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What a draw in the caller's transaction does to the caller's {@code LAST_INSERT_ID()}. */
class LastInsertIdTest {

    private static final String ORDERS =
            "CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, invoice BIGINT) AUTO_INCREMENT = 7000";

    private static long lastInsertId(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_draw_on_mariadb_leaves_it_as_it_was() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute(ORDERS);
        JdbcStore store = JdbcStore.open(database.dataSource());
        store.create(SequenceDefinition.of("s"));
        store.install();
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (long round = 0; round < 3; round++) { // with the lock first, then with one statement
                statement.executeUpdate("INSERT INTO orders (invoice) VALUES (NULL)");
                assertThat(sequence.next(connection)).isEqualTo(1 + round);
                assertThat(lastInsertId(statement)).isEqualTo(7000 + round);
            }
            statement.executeQuery("SELECT next_val('s')").close();
            assertThat(lastInsertId(statement)).as("after a draw in SQL").isEqualTo(7002);
            connection.commit();
        }
    }

    @Test
    void a_draw_on_mysql_overwrites_it() throws SQLException {
        Database database = Engine.MYSQL.freshDatabase();
        database.execute(ORDERS);
        JdbcStore store = JdbcStore.open(database.dataSource());
        store.create(SequenceDefinition.of("s"));
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            sequence.next(connection);
            statement.executeUpdate("INSERT INTO orders (invoice) VALUES (NULL)");
            assertThat(sequence.next(connection)).isEqualTo(2);
            assertThat(lastInsertId(statement)).isEqualTo(3);
            connection.commit();
        }
    }
}
