// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.transform.Transform;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The sequences of a store: what there is, and changes to it. Every change is one transaction, durable when the method
 * returns, and reaches running instances with their next block.
 *
 * <p>Implementations are thread-safe.
 */
public interface SequenceCatalog {

    /**
     * Creates a sequence, and the place it lives in (such as a table) when that is missing.
     *
     * @throws SequenceException.AlreadyExists when there is one of this name; nothing is changed
     */
    void create(SequenceDefinition definition);

    /**
     * How a sequence stands.
     *
     * @throws SequenceException.NotFound when there is none of this name
     */
    SequenceState describe(String name);

    /** How all sequences stand, by name; empty when the place they live in is missing. */
    List<SequenceState> list();

    /**
     * Replaces the definition. The range of a {@linkplain Transform#permuted permutation} over the sequence does not change
     * with its bounds.
     *
     * @param change makes the new definition from the one in the store; may be called again after a conflict
     * @throws SequenceException.NotFound when there is none of this name
     * @throws SequenceException.Misconfigured when the new definition does not fit the counter
     */
    SequenceState alter(String name, UnaryOperator<SequenceDefinition> change);

    /**
     * Lets the next value be {@code value} or beyond it: only ever goes forward, so it is safe while others draw.
     *
     * @throws SequenceException.NotFound when there is none of this name
     * @throws SequenceException.Misconfigured when the value is outside the bounds
     */
    SequenceState raise(String name, long value);

    /**
     * Deals {@code value} next, in a new epoch, even if it was dealt before.
     *
     * <p><em>Running instances keep their blocks.</em> An instance asks the store again only with its next reservation; until
     * then the modes BATCH, ASYNC_BATCH and ADAPTIVE, and the local cursors over them, deal what they have in hand. A store
     * cannot see those blocks. So after a restart to a value that is not beyond the counter, such an instance can deal a
     * number that the sequence deals again. Stop all instances that draw from the sequence before you restart it, or use
     * {@link #raise}, which jumps beyond everything that was reserved. Modes that hold nothing in hand (SYNC, GROUPED, POOLED,
     * ASYNC, COMBINED) follow with their next draw; numbers in the pool are removed.
     *
     * @throws SequenceException.NotFound when there is none of this name
     * @throws SequenceException.Misconfigured when the value is outside the bounds
     */
    SequenceState restart(String name, long value);

    /**
     * Removes a sequence. Running instances deal what they have in hand, as after a {@link #restart}; so stop them before you
     * create another one of the same name.
     *
     * @throws SequenceException.NotFound when there is none of this name
     */
    void drop(String name);

    /**
     * Puts the unused end of a block back if nobody has reserved since (compare and set).
     *
     * @param unused the end of a block that was reserved in that epoch
     * @return whether it was put back; false, and nothing changed, when somebody has
     */
    boolean giveBack(String name, Block unused, long epoch);
}
