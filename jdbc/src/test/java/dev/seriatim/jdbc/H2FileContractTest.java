// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.OpenStore;
import dev.seriatim.StoreDriver;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.H2Files;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * The contracts that H2 keeps in files. Those of callers' transactions it keeps in memory alone, where {@link
 * H2ContractTest} holds it to all of them; on files they are refused ({@link H2DurabilityTest}).
 */
class H2FileContractTest {

    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final Database DATABASE = H2Files.freshDatabase();

    private String table = "";

    @BeforeEach
    void newTable() {
        table = "numbers_" + TABLES.incrementAndGet();
    }

    private OpenStore openTable() {
        return StoreDriver.open(DATABASE.option("seriatim.table", table).url());
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
    class Modes extends AllocationContract {
        @Override
        protected OpenStore open() {
            return openTable();
        }
    }
}
