// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.testkit.Crowd;
import dev.seriatim.testkit.History;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The functions on all nodes of a cluster at once, in auto-commit mode, where a cluster retries statements
 * automatically.
 */
class GaleraFunctionsTest {

    private static final int DEADLOCK = 1213;
    private static final int THREADS = 6;
    private static final int TURNS = 30;

    @ParameterizedTest(name = "wsrep_sync_wait = {0}")
    @ValueSource(ints = {0, 7})
    void no_node_draws_what_another_has_drawn(int waits) throws SQLException {
        List<Database> nodes = Engine.GALERA.freshDatabaseOnEachNode();
        List<SqlSession> sessions = new ArrayList<>();
        try (JdbcStore store = JdbcStore.open(nodes.get(0).dataSource())) {
            store.install();
            store.create(SequenceDefinition.of("wide"));
            for (int i = 0; i < THREADS; i++) {
                SqlSession session = SqlSession.on(nodes.get(i % nodes.size()));
                // Until the sequence exists.
                session.run("SET SESSION wsrep_sync_wait = 7");
                session.lastVal("wide");
                session.run("SET SESSION wsrep_sync_wait = " + waits);
                sessions.add(session);
            }
            History history = new Crowd(THREADS, TURNS).draw((thread, turn) -> drawn(sessions.get(thread)));
            assertThat(history.duplicates()).isZero();
            assertThat(history.size()).isEqualTo(THREADS * TURNS);
            assertThat(history.largest()).as("a conflict takes nothing").isEqualTo(THREADS * TURNS);
        } finally {
            for (SqlSession session : sessions) {
                session.close();
            }
        }
    }

    private static Block drawn(SqlSession session) throws SQLException {
        while (true) {
            try {
                return new Block(session.nextVal("wide"), 1, 1);
            } catch (SQLException e) {
                if (e.getErrorCode() != DEADLOCK) {
                    throw e;
                }
            }
        }
    }
}
