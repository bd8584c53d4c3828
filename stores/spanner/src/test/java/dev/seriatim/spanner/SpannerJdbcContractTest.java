// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.connection.ConnectionOptions;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.GroupingStoreContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Spanner through JDBC, a dialect of the module jdbc, on the emulator. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@ResourceLock(JdbcEmulator.CONNECTIONS)
@Order(1)
class SpannerJdbcContractTest {

    private final JdbcEmulator database =
            JdbcEmulator.create(form(), "CREATE TABLE kept (number INT64 NOT NULL PRIMARY KEY)");

    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.GOOGLE_SQL;
    }

    @AfterAll
    static void closeClient() {
        ConnectionOptions.closeSpanner(); // fails if connections were not closed
    }

    private JdbcStore openTable() {
        return (JdbcStore) StoreDriver.open(database.url());
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
    class Groups extends GroupingStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openTable();
        }

        @Override
        protected void keep(Connection transaction, long number) throws SQLException {
            try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO kept (number) VALUES (?)")) {
                insert.setLong(1, number);
                insert.executeUpdate();
            }
        }

        @Override
        protected List<Long> kept() {
            return database.numbers("SELECT number FROM kept");
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
