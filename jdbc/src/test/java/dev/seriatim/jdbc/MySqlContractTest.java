// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

class MySqlContractTest extends PoolingEngineContract {

    private static List<Database> nodes = List.of();

    @BeforeAll
    static void create() {
        nodes = Engine.MYSQL.freshDatabaseOnEachNode();
    }

    @Override
    Engine engine() {
        return Engine.MYSQL;
    }

    @Override
    List<Database> nodes() {
        return nodes;
    }

    @Nested
    @Tag("long")
    class FaultyCalls extends Faults {}
}
