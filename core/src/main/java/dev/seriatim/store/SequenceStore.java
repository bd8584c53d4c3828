// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceException;

/**
 * The port to a database that deals numbers in transactions of its own.
 *
 * <p>Implementations are thread-safe.
 */
public interface SequenceStore {

    /** In place of a count: as many values as the sequence's own {@code cache} says. */
    long CACHE = Allocation.CACHE;

    /**
     * Takes the next {@code count} values; they are committed, durably, when this returns. Near the end of the sequence
     * the block is shorter; so it may be in a store where others can draw in between, of which the longest piece is kept.
     * Conflicts with other sessions are retried inside, a bounded number of times.
     *
     * @param name the sequence
     * @param count how many, at least 1, or {@link #CACHE}
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws SequenceException.Exhausted when nothing is left; the counter is unchanged
     * @throws SequenceException.Unavailable when the store cannot be reached; nothing was taken
     * @throws SequenceException.Overloaded when conflicts outlast the retries; nothing was taken
     * @throws SequenceException.CommitOutcomeUnknown when the answer to the commit was lost
     * @throws SequenceException.Misconfigured when the count is negative
     */
    Reservation reserve(String name, long count);

    /**
     * Returns the count when it is one, or {@link #CACHE}.
     *
     * @throws SequenceException.Misconfigured when it is negative
     */
    static long checkCount(String name, long count) {
        if (count < 0) {
            throw new SequenceException.Misconfigured(name, "a count must be at least 1, not " + count);
        }
        return count;
    }
}
