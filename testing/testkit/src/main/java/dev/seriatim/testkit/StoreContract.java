// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;

/** Shared by the suites: handles on one location that is empty at the start of each test. */
@SuppressWarnings("NullAway.Init") // storeWith sets the field
abstract class StoreContract<S extends OpenStore> {

    /** Longer than any wait here, shorter than the timeout of a build. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** The handle through which {@link #storeWith} has created the test's sequence. */
    S store;

    final List<AutoCloseable> opened = new ArrayList<>();

    /**
     * Opens another handle on this test's location, as another process would. JUnit creates an instance per test, so a
     * field with the location is empty at the start of each.
     */
    protected abstract S open() throws Exception;

    final S store() {
        try {
            return closedLater(open());
        } catch (Exception e) {
            throw new AssertionError("the store under test cannot be opened", e);
        }
    }

    final S storeWith(String name) {
        return storeWith(SequenceDefinition.named(name));
    }

    final S storeWith(SequenceDefinition.Builder definition) {
        store = store();
        store.create(definition.build());
        return store;
    }

    final StoreSequences sequences(StoreSequences.Builder settings) {
        return closedLater(settings.build());
    }

    final <C extends AutoCloseable> C closedLater(C resource) {
        opened.add(resource);
        return resource;
    }

    @AfterEach
    final void closeHandles() throws Exception {
        Collections.reverse(opened); // instances before their stores
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    static SequenceDefinition.Builder oneToTen(String name) {
        return SequenceDefinition.named(name).maxValue(10L);
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

    static void assertUniqueAndOrdered(History history) {
        assertThat(history.duplicates()).isZero();
        assertThat(history.orderViolations(true)).isZero();
    }

    static Block one(long value) {
        return new Block(value, 1, 1);
    }

    static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
