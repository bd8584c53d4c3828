// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.testkit.PoolingStoreContract;
import java.sql.Connection;
import org.junit.jupiter.api.Nested;

/** Every contract, on an engine in which numbers can be laid out ahead. */
abstract class PoolingEngineContract extends EngineContract {

    @Nested
    class Pooling extends PoolingStoreContract<Connection, JdbcStore> {
        @Override
        protected JdbcStore open() {
            return openTable();
        }
    }
}
