// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

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
     * Puts the unused end of a reservation made earlier in the same transaction back.
     *
     * @param unused the end of that reservation's block
     * @return whether it was put back; false, and nothing changed, when the counter has moved since
     */
    boolean giveBack(T transaction, String name, Block unused, long epoch);
}
