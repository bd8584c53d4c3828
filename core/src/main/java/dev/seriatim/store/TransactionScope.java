// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;

/**
 * Capability of a store that can open transactions, for tools and tests that have none. Implementations are thread-safe.
 *
 * @param <T> the transaction handle
 */
public interface TransactionScope<T> extends TransactionalStore<T> {

    /** The work to do in a transaction. */
    @FunctionalInterface
    interface Work<T, R, X extends Exception> {
        /** Does the work; the scope commits when this returns and rolls back when it throws. */
        R run(T transaction) throws X;
    }

    /**
     * Runs the work in one transaction: commits when the work returns, and rolls back when it throws. Never retries.
     *
     * @throws X what the work throws
     * @throws SequenceException.Unavailable if no transaction can be opened
     * @throws SequenceException.Overloaded if other sessions caused a conflict at commit; nothing is committed, and the
     *     work can be repeated
     * @throws SequenceException.Misconfigured if the commit was rejected because the work violates a constraint that is
     *     checked then; nothing is committed
     * @throws SequenceException.CommitOutcomeUnknown if the answer to the commit was lost
     */
    <R, X extends Exception> R inTransaction(Work<T, R, X> work) throws X;
}
