// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class PostgresContractTest extends PoolingEngineContract {

    private static List<Database> nodes = List.of();

    @BeforeAll
    static void create() {
        nodes = Engine.POSTGRESQL.freshDatabaseOnEachNode();
    }

    @Override
    Engine engine() {
        return Engine.POSTGRESQL;
    }

    @Override
    List<Database> nodes() {
        return nodes;
    }

    @Override
    boolean checksAtCommit() {
        return true;
    }

    @Nested
    @Tag("long")
    class FaultyCalls extends Faults {}
}
