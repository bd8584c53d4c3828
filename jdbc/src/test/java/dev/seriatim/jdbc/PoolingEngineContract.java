// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.testkit.PoolingStoreContract;
import dev.seriatim.testkit.ReturnPoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** Every contract, on an engine that supports pools. */
abstract class PoolingEngineContract extends SavepointEngineContract {

    @Override
    boolean pools() {
        return true;
    }

    @Nested
    class Pooling extends PoolingStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openTable();
        }

        @Override
        protected Optional<ReturnPoint> savepoint(Connection transaction) throws SQLException {
            Savepoint savepoint = transaction.setSavepoint();
            return Optional.of(() -> transaction.rollback(savepoint));
        }
    }
}
