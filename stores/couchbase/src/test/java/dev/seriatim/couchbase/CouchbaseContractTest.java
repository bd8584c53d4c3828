// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class CouchbaseContractTest {

    private final String place = TestServer.freshPlace();

    @Nested
    class Store extends SequenceStoreContract {
        @Override
        protected OpenStore open() {
            return StoreDriver.open(place);
        }
    }

    @Nested
    class Catalog extends SequenceCatalogContract {
        @Override
        protected OpenStore open() {
            return StoreDriver.open(place);
        }
    }

    @Nested
    class Modes extends AllocationContract {
        @Override
        protected OpenStore open() {
            return StoreDriver.open(place);
        }
    }
}
