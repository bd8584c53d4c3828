// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.time.Duration;

/**
 * The port to a database that deals numbers inside the caller's transaction: a rollback takes them back, so none is ever
 * missing from what was committed. The counter stays locked until that transaction ends. Never commits, never rolls back.
 *
 * <p>Implementations are thread-safe; a transaction is its caller's.
 *
 * @param <T> the handle of a transaction, such as a JDBC connection with auto-commit off
 */
public interface TransactionalStore<T> {

    /**
     * Takes the next {@code count} values inside {@code transaction}. Near the end of the sequence the block is shorter.
     *
     * @param count how many, at least 1, or {@link SequenceStore#CACHE}
     * @throws SequenceException as {@link SequenceStore#reserve}; a conflict is the caller's to retry, with the whole
     *     transaction
     */
    Reservation reserve(T transaction, String name, long count);

    /**
     * As {@link #reserve(Object, String, long)}, and waits no longer than the patience for the lock that another transaction
     * holds. Leaves the settings of the transaction's connection as they were.
     *
     * <p>A store that cannot bound its waiting ignores the patience, as this default does, and says in its documentation what
     * bounds it instead.
     *
     * @param patience how long to wait, positive
     * @throws SequenceException.Overloaded also when the counter is still locked then
     * @throws SequenceException.Unavailable also when the store has not answered a second later; the transaction is lost
     */
    default Reservation reserve(T transaction, String name, long count, Duration patience) {
        return reserve(transaction, name, count);
    }
}
