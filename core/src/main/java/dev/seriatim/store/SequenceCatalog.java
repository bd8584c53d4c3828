// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The catalogue of a store's sequences. Every change is one transaction, is durable when the method returns, and reaches
 * running instances with their next block. Implementations are thread-safe.
 */
public interface SequenceCatalog {

    /** Returns a builder with the engine's default block size, if that is not {@link SequenceDefinition#DEFAULT_CACHE}. */
    default SequenceDefinition.Builder newDefinition(String name) {
        return SequenceDefinition.named(name);
    }

    /**
     * Creates a sequence, and the object that holds it (such as a table) if that is missing.
     *
     * @throws SequenceException.AlreadyExists if a sequence of this name exists; nothing is changed
     */
    void create(SequenceDefinition definition);

    /** Returns the state of a sequence. Throws {@link SequenceException.NotFound} if it does not exist. */
    SequenceState describe(String name);

    /** Like the other {@code list}, but throws {@link SequenceException.Misconfigured} if a row is no sequence. */
    default List<SequenceState> list() {
        return list((name, why) -> {
            throw why;
        });
    }

    /**
     * Returns the states of all sequences, ordered by name; empty if the object that holds them is missing. Hands rows that are no
     * sequence to {@code broken}, with their names; again if it has to read again.
     */
    List<SequenceState> list(BiConsumer<String, SequenceException.Misconfigured> broken);

    /**
     * Replaces the definition. The range of a permutation over the sequence does not change with its bounds.
     *
     * @param change returns the new definition, given the current one; may be called again after a conflict
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the new definition does not fit the counter
     */
    SequenceState alter(String name, UnaryOperator<SequenceDefinition> change);

    /**
     * Advances the counter so that the next value is {@code value} or a later one. Never moves it back, so this is safe
     * while others draw.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the value is outside the bounds
     */
    SequenceState raise(String name, long value);

    /**
     * Sets the counter so that {@code value} is dealt next, in a new epoch, even if it was dealt before.
     *
     * <p><em>Running instances keep their blocks.</em> BATCH, ASYNC_BATCH and ADAPTIVE, and their local cursors, deal the
     * values they hold until their next reservation. After a restart to a value that is not beyond the counter, they can
     * therefore deal numbers that the sequence deals again. Stop all instances that draw from the sequence before you
     * restart it, or use {@link #raise}, which skips everything reserved so far. All other modes follow with their next
     * draw; numbers in the pool are removed.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Misconfigured if the value is outside the bounds
     */
    SequenceState restart(String name, long value);

    /**
     * Removes a sequence. Running instances deal the values they hold, as after a {@link #restart}, so stop them before
     * you create another sequence of the same name.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     */
    void drop(String name);

    /** Gives back the end of a block of that epoch, if nothing has been reserved since; returns whether it did. */
    boolean giveBack(String name, Block unused, long epoch);
}
