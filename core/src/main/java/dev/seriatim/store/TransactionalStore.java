// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceException;
import java.time.Duration;

/**
 * Port to a database that deals numbers inside the caller's transaction: a rollback undoes the draw, so no number is
 * missing from what was committed. The counter stays locked until that transaction ends. Never commits or rolls back.
 * Implementations are thread-safe; the caller is responsible for the transaction's thread-safety.
 *
 * @param <T> the transaction handle, such as a JDBC connection with auto-commit off
 */
public interface TransactionalStore<T> {

    /**
     * Takes the next {@code count} values inside {@code transaction}. The block is shorter near the end of the
     * sequence.
     *
     * @param count the number of values, at least 1, or {@link SequenceStore#CACHE}
     * @throws SequenceException as {@link SequenceStore#reserve}; after a conflict, the caller must retry the whole
     *     transaction
     */
    Reservation reserve(T transaction, String name, long count);

    /**
     * Like {@link #reserve(Object, String, long)}, but waits at most as long as the patience for a lock that another
     * transaction holds. Leaves the settings of the transaction's connection unchanged.
     *
     * <p>A store that cannot limit the wait ignores the patience, as the default does, and documents its own limit.
     *
     * @throws SequenceException.Overloaded also if the counter is still locked by then
     * @throws SequenceException.Unavailable also if the store has not answered a second later; the transaction is lost
     */
    default Reservation reserve(T transaction, String name, long count, Duration patience) {
        return reserve(transaction, name, count);
    }

    /**
     * Takes one value, runs the last step inside the transaction, and commits it; rolls it back if the step or the commit fails.
     * The default refuses, for a store whose client alone ends transactions.
     *
     * @throws SequenceException as {@link GaplessSequence#last}
     */
    default <X extends Exception> long last(
            T transaction, String name, Duration patience, GaplessSequence.LastStep<X> step) throws X {
        throw new SequenceException.Misconfigured(name, """
                this transaction cannot be committed here, since only the code that began it ends it; draw with next, as \
                late as possible""");
    }
}
