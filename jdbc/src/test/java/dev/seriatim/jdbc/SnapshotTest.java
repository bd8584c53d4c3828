// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@SuppressWarnings("try") // snapshots are declared only to be closed
class SnapshotTest {

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void leaves_the_connection_as_it_was(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE t (n INTEGER)");
        try (Connection connection = database.connect()) {
            int isolation = connection.getTransactionIsolation();
            Dialect dialect = Dialects.of(connection);
            try (Snapshot snapshot = dialect.snapshot(connection)) {
                assertThat(count(connection)).isZero();
            }
            assertThatThrownBy(() -> {
                        try (Snapshot snapshot = dialect.snapshot(connection)) {
                            throw new IllegalStateException("enough");
                        }
                    })
                    .hasMessage("enough");
            assertThatThrownBy(() -> {
                        try (Snapshot snapshot = dialect.snapshot(connection)) {
                            connection.createStatement().executeQuery("SELECT missing_column FROM t");
                        }
                    })
                    .isInstanceOf(SQLException.class)
                    .message()
                    .containsIgnoringCase("missing_column");
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            database.execute("INSERT INTO t VALUES (1)");
            assertThat(count(connection)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void shows_one_state_to_all_its_queries(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE t (n INTEGER)");
        try (Connection connection = database.connect()) {
            Dialect dialect = Dialects.of(connection);
            dialect.preflight(
                    connection,
                    PlacedTable.find(
                            dialect, connection, SequenceTable.own("t"))); // lets SQLite write while others read
            try (Snapshot snapshot = dialect.snapshot(connection)) {
                assertThat(count(connection)).isZero();
                database.execute("INSERT INTO t VALUES (1)");
                assertThat(count(connection)).isZero();
            }
            assertThat(count(connection)).isEqualTo(1);
        }
    }

    private static long count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            row.next();
            return row.getLong(1);
        }
    }
}
