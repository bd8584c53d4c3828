// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;

/**
 * The port to a database in which several callers, one after another, can work in one transaction: what
 * {@link GroupedSequence} needs. A transaction that offers savepoints says so by its type,
 * {@link SavepointTransaction}.
 *
 * <p>Implementations are thread-safe.
 *
 * @param <T> the handle of a transaction that units of work get, such as a JDBC connection
 */
@FunctionalInterface
public interface GroupingStore<T> {

    /**
     * Begins a transaction in which the counter of this sequence is locked until it ends. Called on threads that nobody
     * interrupts; may wait for other sessions.
     *
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws SequenceException.Overloaded when other sessions are in the way: it will be called again after a pause
     * @throws SequenceException when it cannot be had, for the same reasons as {@link SequenceStore#reserve}; the callers
     *     who wait are told
     */
    SharedTransaction<T> begin(String name);

    /**
     * Whether the store answers while {@link #begin} waits. Called when that takes long, on another thread, so that an error can
     * say what was waited for: a lock, or an answer. Waits for no lock. False unless overridden.
     *
     * @throws SequenceException when the store cannot be reached, which means no as well
     */
    default boolean answers(String name) {
        return false;
    }
}
