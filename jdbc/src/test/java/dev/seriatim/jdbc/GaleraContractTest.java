// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

class GaleraContractTest extends SavepointEngineContract {

    private static List<Database> nodes = List.of();

    @BeforeAll
    static void create() {
        nodes = Engine.GALERA.freshDatabaseOnEachNode();
    }

    @Override
    Engine engine() {
        return Engine.GALERA;
    }

    @Override
    List<Database> nodes() {
        return nodes;
    }

    /** Without this setting, a node may answer before it has applied what another node has acknowledged. */
    @Override
    Connection connectUpToDate() throws SQLException {
        Connection connection = super.connectUpToDate();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION wsrep_sync_wait = 1");
        }
        return connection;
    }

    @Nested
    @Tag("long")
    class FaultyCalls extends Faults {}
}
