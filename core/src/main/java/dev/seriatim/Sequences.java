// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * The sequences of a store, opened by the guarantee that they keep. Each is opened once: to open it again returns the same one, until it
 * is closed.
 *
 * <p>A sequence that is missing is made when it is opened, counting up from 1 by 1, unless these sequences were built not to. Opening then
 * asks the store once; numbers are drawn when they are asked for.
 *
 * <p>Thread-safe.
 */
public interface Sequences extends AutoCloseable {

    /**
     * Makes a sequence if it is missing: for one that does not begin at 1, or has bounds of its own. One that is there stays as it is.
     *
     * @return whether it was made
     * @throws SequenceException.Misconfigured when the store cannot hold such a sequence, or has no catalogue
     * @throws SequenceException.Unavailable when the store cannot be reached
     */
    boolean define(SequenceDefinition definition);

    /**
     * Opens a sequence whose numbers are unique: {@linkplain Allocation#adaptive() blocks in memory} that follow the rate, so that a draw
     * hardly ever waits.
     *
     * @throws SequenceException.NotFound when there is none of this name, and none is made
     * @throws SequenceException.Misconfigured when it is open in another mode, or the name is not one
     * @throws SequenceException.Unavailable when it may have to be made and the store cannot be reached
     * @throws IllegalStateException when closed
     */
    Sequence unique(String name);

    /**
     * Opens a sequence whose numbers are unique and ordered: if one draw returned before another began, in any process, its number is
     * lower (higher, counting down). {@linkplain Allocation#combined() Callers who wait at the same time share a reservation}.
     *
     * @throws SequenceException.Misconfigured when the store spreads its numbers and cannot keep them in order, when the sequence is open
     *     in another mode, or the name is not one
     * @throws SequenceException as {@link #unique(String)}
     * @throws IllegalStateException when closed
     */
    Sequence ordered(String name);

    /**
     * Opens a sequence in a mode of the caller's choice.
     *
     * @throws SequenceException as {@link #unique(String)}
     * @throws IllegalStateException when closed
     */
    Sequence open(String name, Allocation allocation);

    /** Closes every sequence that is open, and what these sequences opened themselves. Calling it again does nothing. */
    @Override
    void close();
}
