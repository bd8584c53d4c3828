// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * The sequences of a store, opened by the guarantee they provide. Until a sequence is closed, opening it again returns
 * the same instance. A sequence that is open as gapless cannot be opened in a mode that leaves gaps, nor the reverse.
 *
 * <p>By default, opening a sequence that does not exist creates it, counting up from 1 by 1. In that case opening asks
 * the store once; no number is drawn until requested. Once closed, opening throws {@link IllegalStateException}.
 * Thread-safe.
 */
public interface Sequences extends AutoCloseable {

    /**
     * Creates a sequence if it does not exist. Use this for one that does not start at 1, or that has bounds. An
     * existing sequence is left unchanged.
     *
     * @return whether the sequence was created
     * @throws SequenceException.Misconfigured if the store cannot hold such a sequence, or has no catalogue
     * @throws SequenceException.Unavailable if the store cannot be reached
     */
    boolean define(SequenceDefinition definition);

    /**
     * Opens a sequence whose numbers are unique. Its {@linkplain Allocation#adaptive() blocks} in memory adapt their
     * size to the rate, so that a draw rarely waits.
     *
     * @throws SequenceException.NotFound if the sequence does not exist and missing sequences are not created
     * @throws SequenceException.Misconfigured if it is already open in another mode, or the name is invalid
     * @throws SequenceException.Unavailable if the sequence may have to be created and the store cannot be reached
     */
    Sequence unique(String name);

    /**
     * Opens a sequence whose numbers are unique and ordered: if one draw returns before another begins, in any process,
     * its number is lower (higher if the sequence counts down).
     *
     * <p>Where the store can {@linkplain Allocation#confirmed() confirm} that no other session has drawn since, callers waiting at
     * the same time share a read, and values reserved ahead are lost in a crash or when another session draws. Elsewhere
     * they {@linkplain Allocation#combined() share a reservation}.
     *
     * <p>If it is already open in a mode that is ordered, returns that instance.
     *
     * @throws SequenceException.Misconfigured if the store distributes its numbers and cannot keep them in order, if
     *     the sequence is already open in a mode that is not ordered, or if the name is invalid
     * @throws SequenceException as {@link #unique(String)}
     */
    Sequence ordered(String name);

    /**
     * Opens a sequence in the given mode.
     *
     * @throws SequenceException as {@link #unique(String)}
     */
    Sequence open(String name, Allocation allocation);

    /** Closes the sequences, and what this instance has opened. Further calls have no effect. */
    @Override
    void close();
}
