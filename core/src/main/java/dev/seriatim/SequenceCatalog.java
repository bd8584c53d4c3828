// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

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
     * Replaces the definition.
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
     * @throws SequenceException.NotFound when there is none of this name
     * @throws SequenceException.Misconfigured when the value is outside the bounds
     */
    SequenceState restart(String name, long value);

    /**
     * Removes a sequence.
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
