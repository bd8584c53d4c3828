// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.store.OpenStore;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * The contracts that every store fulfils, whether or not it draws in callers' transactions. Each test has its own
 * table.
 */
abstract class StoreContracts {

    private static final AtomicLong TABLES = new AtomicLong();

    /** Used only by this test. */
    String table = "";

    @BeforeEach
    final void newTable() {
        table = "numbers_" + TABLES.incrementAndGet();
    }

    /** Opens a store of the test's table. */
    abstract OpenStore openTable();

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
