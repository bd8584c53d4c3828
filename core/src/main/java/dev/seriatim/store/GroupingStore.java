// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.Optional;

/**
 * Port to a database in which several callers can work in one transaction, one after another, as
 * {@link GroupedSequence} requires. A transaction with savepoints implements {@link SavepointTransaction}.
 * Implementations are thread-safe.
 *
 * @param <T> the transaction handle passed to units of work, such as a JDBC connection
 */
@FunctionalInterface
public interface GroupingStore<T> {

    /**
     * Begins a transaction and locks the counter of this sequence until it ends. Called on threads that are never
     * interrupted; may wait for other sessions.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Overloaded if other sessions cause a conflict; the call is repeated after a pause
     * @throws SequenceException if the transaction cannot begin, for the same reasons as {@link SequenceStore#reserve};
     *     waiting callers receive it
     */
    SharedTransaction<T> begin(String name);

    /**
     * Like {@link #begin}, but on a caller's thread. Waits only for answers, at most {@code atMost} in total, and throws
     * nothing. An interrupt must do no harm, and need not end the wait.
     *
     * @return the transaction; empty if beginning here is not possible at this moment, or the lock was not free in time.
     *     Then nothing has begun, and {@link #begin} reports the cause
     */
    default Optional<SharedTransaction<T>> beginHere(String name, Duration atMost) {
        return Optional.empty();
    }

    /**
     * Returns whether the store answers. Called on another thread if {@link #begin} takes long, so that an error can
     * name the reason: a lock, or a missing answer. Does not wait for locks.
     *
     * @throws SequenceException if the store cannot be reached, which means the same as false
     */
    default boolean answers(String name) {
        return false;
    }
}
