// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.Turn;
import dev.seriatim.UnitStart;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.testkit.OneGroup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers for different tenants in one transaction, under PostgreSQL's row-level security. */
class GroupTenantsTest {

    private static final String ROLE = "tenants_app";
    /** The thread's current tenant, as an application keeps it in a thread-local variable. */
    private static final Map<String, String> TENANTS = Map.of("caller 0", "alice", "caller 1", "bob");

    /** Kept in a field, as in an application: each unit starts as its own caller's tenant. */
    private static final UnitStart<Connection> AS_TENANT = connection -> {
        try (PreparedStatement set = connection.prepareStatement("SELECT set_config('app.tenant', ?, true)")) {
            set.setString(1, TENANTS.getOrDefault(Thread.currentThread().getName(), ""));
            set.execute();
        }
    };

    private final Database database;
    private JdbcStore store;
    private final StoreSequences sequences;

    GroupTenantsTest() throws SQLException {
        Database owner = Engine.POSTGRESQL.freshDatabase();
        store = JdbcStore.open(owner.dataSource());
        store.create(SequenceDefinition.of("s"));
        owner.execute(
                "DO $$ BEGIN CREATE ROLE " + ROLE
                        + " LOGIN PASSWORD 'pw'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                "CREATE TABLE invoice (number BIGINT PRIMARY KEY, tenant TEXT)",
                "ALTER TABLE invoice ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY own ON invoice USING (tenant = current_setting('app.tenant', true))",
                "GRANT SELECT, INSERT ON invoice TO " + ROLE,
                "GRANT SELECT, UPDATE ON seriatim_sequence TO " + ROLE);
        store.close();
        database = owner.as(ROLE, "pw");
        store = JdbcStore.open(database.dataSource());
        sequences = StoreSequences.of(store);
    }

    @AfterEach
    void close() {
        sequences.close();
        store.close();
    }

    @Test
    void a_unit_without_a_start_sees_what_the_one_before_it_has_set() throws Exception {
        OneGroup<Connection> group = new OneGroup<>(sequences.grouped("s", store))
                .add(turn -> {
                    AS_TENANT.prepare(turn.transaction());
                    return insert(turn, "alice");
                })
                .add(GroupTenantsTest::rows)
                .go();
        assertThat(group.result(0)).isEqualTo(1);
        assertThat(group.result(1))
                .as("as documented at UnitStart: alice's row")
                .isEqualTo(1);
    }

    @Test
    void with_a_start_each_unit_works_as_its_own_callers_tenant() throws Exception {
        GroupedSequence<Connection> sequence = sequences.grouped("s", store, AS_TENANT);
        OneGroup<Connection> group = new OneGroup<>(sequence)
                .add(turn -> insert(turn, "alice"))
                .add(turn -> insert(turn, "bob"))
                .add(GroupTenantsTest::rows)
                .go();
        assertThat(group.result(0)).isEqualTo(1);
        assertThat(group.result(1)).isEqualTo(1);
        assertThat(group.result(2)).as("the rows of a caller who is no tenant").isZero();
    }

    private static long insert(Turn<Connection> turn, String tenant) throws SQLException {
        try (PreparedStatement insert = turn.transaction().prepareStatement("INSERT INTO invoice VALUES (?, ?)")) {
            insert.setLong(1, turn.next());
            insert.setString(2, tenant);
            insert.executeUpdate();
        }
        return rows(turn);
    }

    private static long rows(Turn<Connection> turn) throws SQLException {
        try (Statement statement = turn.transaction().createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM invoice")) {
            row.next();
            return row.getLong(1);
        }
    }
}
