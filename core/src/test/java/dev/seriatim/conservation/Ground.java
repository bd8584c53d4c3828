// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.TransactionScope;
import java.util.List;

/**
 * Where a round takes place: a store that fails at random while failures of its {@link RandomChoices} are on, and an
 * application's table in the same database. Thread-safe.
 *
 * @param <T> the transaction handle
 */
public interface Ground<T> {

    /** Rolls back to a point. */
    @FunctionalInterface
    interface Undo {
        /** Rolls back; the point stays valid. */
        void back() throws Exception;
    }

    /** Returns the name of the sequence, which does not exist yet. */
    String name();

    /** Returns the minimum patience, in milliseconds, that is enough for one call without failures. */
    int leastPatience();

    /** Returns the catalogue for the administrator, without failures. */
    SequenceCatalog catalog();

    /**
     * Returns the store for draws in separate transactions. Enters each block it returns in the ledger. Removes blocks
     * for which it is unknown whether they were given back; the listener is notified of these without their values.
     */
    SequenceStore store(RandomChoices chance, Ledger ledger);

    /** Returns the store for draws in the caller's transactions. */
    TransactionScope<T> scope(RandomChoices chance);

    /** Returns the store for groups. */
    GroupingStore<T> groups(RandomChoices chance);

    /** Returns the store for pools. */
    PoolingStore<T> pools(RandomChoices chance);

    /** Stores a number in the table. */
    void keep(T transaction, StoredRow row) throws Exception;

    /** Marks a point in a transaction, through its handle. */
    Undo mark(T transaction) throws Exception;

    /** Runs a statement that fails, which invalidates the transaction on some databases: always throws. */
    void spoil(T transaction) throws Exception;

    /** Returns the exception of a unit that had a conflict with another session. */
    Exception conflict();

    /** Returns the committed rows of the table, in the order in which they were stored. */
    List<StoredRow> kept() throws Exception;

    /** Returns the numbers in the pool. */
    List<Long> laidOut() throws Exception;

    /** Ends calls that hang. */
    void calm();
}
