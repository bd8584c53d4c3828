// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.store.OpenStore;
import java.util.Optional;

/**
 * Shared by the suites in which an application works in transactions.
 *
 * @param <T> the transaction handle
 * @param <S> the store under test
 */
abstract class TransactionContract<T, S extends OpenStore> extends StoreContract<S> {

    /** Thrown by the application. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    final Hooks hooks = new Hooks();

    /**
     * Sets a savepoint in a transaction.
     *
     * @return empty if transactions have no savepoints, which skips the tests of them
     */
    protected Optional<ReturnPoint> savepoint(T transaction) throws Exception {
        return Optional.empty();
    }

    /**
     * Does something in a transaction that only its commit rejects, like violating a deferred constraint.
     *
     * @return false if commits check nothing, which skips the test
     */
    protected boolean breakAtCommit(T transaction) throws Exception {
        return false;
    }

    /** Returns whether the store itself commits a caller's transaction; returns false if only the store's client does. */
    protected boolean endsTransactions() {
        return true;
    }

    final ReturnPoint savepointIn(T transaction) throws Exception {
        Optional<ReturnPoint> savepoint = savepoint(transaction);
        assumeTrue(savepoint.isPresent(), "transactions of this store have no savepoints");
        return savepoint.orElseThrow();
    }
}
