// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.TransactionContext;
import dev.seriatim.store.OpenStore;
import dev.seriatim.testkit.AllocationContract;
import dev.seriatim.testkit.GroupingStoreContract;
import dev.seriatim.testkit.SequenceCatalogContract;
import dev.seriatim.testkit.SequenceStoreContract;
import dev.seriatim.testkit.TransactionalStoreContract;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Order(1)
class SpannerContractTest {

    private final EmulatorDatabase database =
            EmulatorDatabase.at(place(), place().create("kept", "number INT64 NOT NULL"));

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @Nested
    class Store extends SequenceStoreContract {
        @Override
        protected OpenStore open() {
            return database.open();
        }
    }

    @Nested
    class Catalog extends SequenceCatalogContract {
        @Override
        protected OpenStore open() {
            return database.open();
        }
    }

    @Nested
    class Transactional extends TransactionalStoreContract<TransactionContext, SpannerStore> {
        @Override
        protected boolean endsTransactions() {
            return false;
        }

        @Override
        protected SpannerStore open() {
            return database.store();
        }
    }

    @Nested
    class Groups extends GroupingStoreContract<TransactionContext, SpannerStore> {
        @Override
        protected SpannerStore open() {
            return database.store();
        }

        @Override
        protected void keep(TransactionContext transaction, long number) {
            transaction.buffer(
                    Mutation.newInsertBuilder("kept").set("number").to(number).build());
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
            return database.open();
        }
    }
}
