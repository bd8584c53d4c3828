// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.PoolingStore;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceStore;
import dev.seriatim.store.TransactionScope;
import java.util.List;

/**
 * Where one round takes place: a store that fails at random while its {@link Chance} is not calm, and an application's table beside
 * its counters. Thread-safe.
 *
 * @param <T> the handle of a transaction
 */
public interface Ground<T> {

    /** Takes back what was done since a point. */
    @FunctionalInterface
    interface Undo {
        /** Does it; the point stays. */
        void back() throws Exception;
    }

    /** The name of the sequence, which is not there yet. */
    String name();

    /** The shortest patience that is enough for one call when nothing fails, in milliseconds. */
    int leastPatience();

    /** The counters as an administrator sees them, without failures. */
    SequenceCatalog catalog();

    /**
     * For draws in transactions of their own. Enters each block that is answered; strikes out those of which nobody can tell whether they
     * went back, which the listener hears without their values.
     */
    SequenceStore store(Chance chance, Ledger ledger);

    /** For draws in transactions of their caller's. */
    TransactionScope<T> scope(Chance chance);

    /** For groups. */
    GroupingStore<T> groups(Chance chance);

    /** For pools. */
    PoolingStore<T> pools(Chance chance);

    /** Keeps a number in the table. */
    void keep(T transaction, Row row) throws Exception;

    /** Marks a point in a transaction, by its handle. */
    Undo mark(T transaction) throws Exception;

    /** A statement that fails, and on some databases spoils the transaction: always throws. */
    void spoil(T transaction) throws Exception;

    /** What a unit throws that was in another session's way. */
    Exception conflict();

    /** What was committed to the table, in the order in which it was kept. */
    List<Row> kept() throws Exception;

    /** The numbers that wait in the pool. */
    List<Long> laidOut() throws Exception;

    /** Ends what hangs. */
    void calm();
}
