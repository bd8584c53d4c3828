// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import org.junit.jupiter.api.BeforeAll;

class PostgresContractTest extends EngineContract {

    private static Database database;

    @BeforeAll
    static void create() {
        database = Engine.POSTGRESQL.freshDatabase();
    }

    @Override
    Database database() {
        return database;
    }
}
