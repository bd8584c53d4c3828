// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** H2 writes half a second after a commit whenever it is opened anew, and has to be told each time. */
class H2DurabilityTest {

    private final Database database = Engine.H2.freshDatabase();

    @Test
    void a_database_that_was_closed_meanwhile_is_told_again() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("orders"));
            // Nobody is connected now, so the database is closed.
            try (Connection connection = database.connect()) {
                assertThat(delay(connection)).isEqualTo("500");
                store.reserve("orders", 1);
                assertThat(delay(connection)).isEqualTo("0");
            }
        }
    }

    @Test
    void a_user_who_may_not_set_it_is_refused_unless_an_administrator_has() throws SQLException {
        database.execute("CREATE USER clerk PASSWORD 'pen'");
        Database clerks = database.as("clerk", "pen");
        try (Connection open = database.connect()) {
            assertThat(delay(open)).isEqualTo("500");
            assertThatThrownBy(() -> JdbcStore.open(clerks.dataSource()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("WRITE_DELAY is 500")
                    .hasMessageContaining("administrator");
            JdbcStore.open(database.dataSource()).close();
            JdbcStore.open(clerks.dataSource()).close();
        }
    }

    @Test
    void a_version_that_loses_commits_is_known() {
        assertThat(H2Dialect.loses("2.5.252 (2026-09-23)")).isTrue();
        assertThat(H2Dialect.loses("2.4.240 (2025-09-22)")).isFalse();
    }

    private static String delay(Connection connection) throws SQLException {
        String last = "";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'")) {
            while (row.next()) {
                last = row.getString(1);
            }
        }
        return last;
    }
}
