// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Runs on a server that {@code SERIATIM_TEST_SQLSERVER_URL} names; it has never run. */
class SqlServerContractTest extends EngineContract {

    private static List<Database> nodes = List.of();

    @BeforeAll
    static void create() throws SQLException {
        nodes = Engine.SQLSERVER.freshDatabaseOnEachNode();
        // Statements that read several rows need one state.
        nodes.get(0)
                .execute(
                        "ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT ON",
                        "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON");
    }

    @Override
    List<Database> nodes() {
        return nodes;
    }

    @Nested
    class FaultyCalls extends Faults {}
}
