// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The catalogue of a store's sequences. Every change is one transaction, is durable when the method returns, and
 * reaches running instances with their next block.
 *
 * <p>Implementations are thread-safe.
 */
public interface SequenceCatalog {

    /**
     * Returns a builder with the store's default block size. Other parts that are not set take SQL's defaults.
     *
     * <p>By default, the block size is {@link SequenceDefinition#DEFAULT_CACHE}. A store overrides this method if its
     * engine has another default or rejects that one.
     */
    default SequenceDefinition.Builder newDefinition(String name) {
        return SequenceDefinition.named(name);
    }

    /**
     * Creates a sequence, and the object that holds it (such as a table) if that is missing.
     *
     * @throws SequenceException.AlreadyExists if a sequence of this name exists; nothing is changed
     */
    void create(SequenceDefinition definition);

    /**
     * Returns the state of a sequence.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     */
    SequenceState describe(String name);

    /** Returns the states of all sequences, ordered by name; empty if the object that holds them is missing. */
    List<SequenceState> list();

    /**
     * Replaces the definition. The range of a permutation over the sequence does not
     * change with its bounds.
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
     * <p><em>Running instances keep their blocks.</em> An instance reads the store only at its next reservation. Until
     * then, BATCH, ASYNC_BATCH and ADAPTIVE, and the local cursors over them, deal the values they hold, which the
     * store cannot see. After a restart to a value that is not beyond the counter, such an instance can therefore deal
     * a number that the sequence deals again. Stop all instances that draw from the sequence before you restart it, or
     * use {@link #raise}, which skips everything reserved so far. Modes that hold no values (SYNC, GROUPED, POOLED,
     * ASYNC, COMBINED) follow with their next draw, and so does CONFIRMED, which deals no value without reading the counter;
     * numbers in the pool are removed.
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

    /**
     * Gives the unused end of a block back if nothing has been reserved since (compare and set).
     *
     * @param unused the end of a block that was reserved in that epoch
     * @return whether it was given back; false, without any change, if there was another reservation
     */
    boolean giveBack(String name, Block unused, long epoch);
}
