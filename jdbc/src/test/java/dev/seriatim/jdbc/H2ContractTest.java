// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

class H2ContractTest extends SavepointEngineContract {

    private static List<Database> nodes = List.of();

    @BeforeAll
    static void create() {
        nodes = Engine.H2.freshDatabaseOnEachNode();
    }

    @Override
    Engine engine() {
        return Engine.H2;
    }

    @Override
    List<Database> nodes() {
        return nodes;
    }

    @Nested
    class FaultyCalls extends Faults {}
}
