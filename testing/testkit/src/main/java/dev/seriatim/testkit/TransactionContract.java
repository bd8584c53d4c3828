// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.store.OpenStore;
import java.util.Optional;

/** Shared by the suites in which an application works in transactions. */
abstract class TransactionContract<T, S extends OpenStore> extends StoreContract<S> {

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    final Hooks hooks = new Hooks();

    /** Sets a savepoint in a transaction; returns empty if transactions have none, which skips the tests of them. */
    protected Optional<ReturnPoint> savepoint(T transaction) throws Exception {
        return Optional.empty();
    }

    /**
     * Does what only the commit rejects, like violating a deferred constraint; returns false if commits check nothing.
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
