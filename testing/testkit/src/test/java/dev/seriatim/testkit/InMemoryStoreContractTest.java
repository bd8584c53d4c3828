// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.memory.InMemoryTransaction;
import dev.seriatim.store.OpenStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

class InMemoryStoreContractTest {

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Store extends SequenceStoreContract {
        private final InMemoryStore memory = new InMemoryStore();

        @Override
        protected OpenStore open() {
            return memory;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Catalog extends SequenceCatalogContract {
        private final InMemoryStore memory = new InMemoryStore();

        @Override
        protected OpenStore open() {
            return memory;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Transactions extends TransactionalStoreContract<InMemoryTransaction, InMemoryStore> {
        private final InMemoryStore memory = new InMemoryStore();

        @Override
        protected InMemoryStore open() {
            return memory;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Groups extends GroupingStoreContract<InMemoryTransaction, InMemoryStore> {
        private final InMemoryStore memory = new InMemoryStore();
        private final List<Long> numbers = new CopyOnWriteArrayList<>();

        @Override
        protected InMemoryStore open() {
            return memory;
        }

        @Override
        protected void keep(InMemoryTransaction transaction, long number) {
            transaction.onCommit(() -> numbers.add(number));
        }

        @Override
        protected List<Long> kept() {
            return numbers;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Pools extends PoolingStoreContract<InMemoryTransaction, InMemoryStore> {
        private final InMemoryStore memory = new InMemoryStore();

        @Override
        protected InMemoryStore open() {
            return memory;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Modes extends AllocationContract {
        private final InMemoryStore memory = new InMemoryStore();

        @Override
        protected OpenStore open() {
            return memory;
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class ModesWithALatency extends AllocationContract {
        private final InMemoryStore memory = new InMemoryStore(Duration.ofMillis(1));

        @Override
        protected OpenStore open() {
            return memory;
        }
    }
}
