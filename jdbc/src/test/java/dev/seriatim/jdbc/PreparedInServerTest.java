// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that a MariaDB URL opens prepare statements in the server, but not on Galera, which may not answer that. */
@Timeout(90)
class PreparedInServerTest {

    @Test
    void mariadb_prepares_statements() throws SQLException {
        assertThat(preparedInAUnit(Engine.MARIADB)).isPositive();
    }

    @Test
    void galera_prepares_none() throws SQLException {
        assertThat(preparedInAUnit(Engine.GALERA)).isZero();
    }

    private static long preparedInAUnit(Engine engine) throws SQLException {
        try (JdbcStore store =
                        (JdbcStore) StoreDriver.open(engine.freshDatabase().url());
                StoreSequences sequences = StoreSequences.builder(store).build()) {
            store.create(SequenceDefinition.of("s"));
            GroupedSequence<Connection> sequence = sequences.grouped("s", store);
            return sequence.commit(turn -> {
                turn.next();
                try (PreparedStatement statement = turn.transaction().prepareStatement("SELECT ?")) {
                    statement.setLong(1, 1);
                    statement.executeQuery().close();
                }
                return prepared(turn.transaction());
            });
        }
    }

    /** How many statements this session has prepared in the server. */
    private static long prepared(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'")) {
            row.next();
            return row.getLong(2);
        }
    }
}
