// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.OpenStore;
import dev.seriatim.StoreDriver;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Every contract, on one engine. Each test has a table of its own. */
abstract class EngineContract {

    private static final AtomicLong TABLES = new AtomicLong();

    private String url = "";

    /** The JDBC URL of the database to test on. */
    abstract String database();

    @BeforeEach
    final void newTable() {
        String database = database();
        String separator = database.startsWith("jdbc:h2:") ? ";" : database.contains("?") ? "&" : "?";
        url = database + separator + "seriatim.table=numbers_" + TABLES.incrementAndGet();
    }

    private JdbcStore openTable() {
        return (JdbcStore) StoreDriver.open(url);
    }

    @Nested
    class Store extends SequenceStoreContract {
        @Override
        protected OpenStore open() {
            return openTable();
        }
    }

    @Nested
    class Catalog extends SequenceCatalogContract {
        @Override
        protected OpenStore open() {
            return openTable();
        }
    }

    @Nested
    class Transactional extends TransactionalStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openTable();
        }
    }

    @Nested
    class Modes extends AllocationContract {
        @Override
        protected OpenStore open() {
            return openTable();
        }
    }
}
