// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * Shared by the suites: handles on one location that is empty at the start of each test.
 *
 * @param <S> the type of the store under test
 */
abstract class StoreContract<S extends OpenStore> {

    /** Longer than any wait here, shorter than the timeout of a build. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<S> opened = new ArrayList<>();

    /**
     * Opens another handle on this test's location, as another process would: what one creates, the others see. JUnit
     * creates an instance per test, so a field with the location is empty at the start of each.
     */
    protected abstract S open() throws Exception;

    final S store() {
        try {
            S store = open();
            opened.add(store);
            return store;
        } catch (Exception e) {
            throw new AssertionError("the store under test cannot be opened", e);
        }
    }

    final S storeWith(SequenceDefinition definition) {
        S store = store();
        store.create(definition);
        return store;
    }

    static SequenceDefinition oneToTen(String name) {
        return SequenceDefinition.named(name).maxValue(10L).build();
    }

    /** Retries the whole transaction, as an application must if transactions can conflict. */
    static <T, R, X extends Exception> R retrying(TransactionScope<T> store, TransactionScope.Work<T, R, X> work)
            throws X {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return store.inTransaction(work);
            } catch (SequenceException.Overloaded conflict) {
                if (System.nanoTime() > deadline) {
                    throw conflict;
                }
            }
        }
    }

    @AfterEach
    final void closeHandles() {
        opened.forEach(OpenStore::close);
    }
}
