// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;

/**
 * A capability of a store that can also open transactions by itself: for tools and tests that have no transaction of
 * their own to draw in.
 *
 * <p>Implementations are thread-safe.
 *
 * @param <T> the handle of a transaction
 */
public interface TransactionScope<T> extends TransactionalStore<T> {

    /** What happens in a transaction. */
    @FunctionalInterface
    interface Work<T, R, X extends Exception> {
        /** Does it; the scope commits when this returns and rolls back when it throws. */
        R run(T transaction) throws X;
    }

    /**
     * Runs the work in one transaction: committed when it returns, rolled back when it throws. Never retried.
     *
     * @throws X what the work throws
     * @throws SequenceException.Unavailable when no transaction can be had
     * @throws SequenceException.Overloaded when others were in the way at the commit: nothing is committed, and it can be run
     *     again
     * @throws SequenceException.Misconfigured when the commit was refused, since the work breaks a rule that is checked then:
     *     nothing is committed
     * @throws SequenceException.CommitOutcomeUnknown when the answer to the commit was lost
     */
    <R, X extends Exception> R inTransaction(Work<T, R, X> work) throws X;
}
