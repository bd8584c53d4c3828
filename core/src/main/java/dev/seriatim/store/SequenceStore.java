// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceException;

/** Port to a database that deals numbers in its own transactions. Implementations are thread-safe. */
public interface SequenceStore {

    /** A count that means the sequence's current {@code cache}. */
    long CACHE = Allocation.CACHE;

    /**
     * Takes the next {@code count} values and commits them durably before it returns. The block is shorter near the end
     * of the sequence. It may also be shorter in a store where others can draw in between, which keeps only the longest
     * contiguous part. Retries conflicts with other sessions a bounded number of times.
     *
     * @param name the sequence
     * @param count the number of values, at least 1, or {@link #CACHE}
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Exhausted if nothing is left; the counter is unchanged
     * @throws SequenceException.Unavailable if the store cannot be reached; nothing was taken
     * @throws SequenceException.Overloaded if conflicts outlast the retries; nothing was taken
     * @throws SequenceException.CommitOutcomeUnknown if the answer to the commit was lost
     * @throws SequenceException.Misconfigured if the count is negative
     */
    Reservation reserve(String name, long count);

    /** Returns whether values can be ordered in some mode; false if the store distributes its numbers by design. */
    default boolean ordered() {
        return true;
    }

    /** Returns the count. Throws {@link SequenceException.Misconfigured} if it is negative; {@link #CACHE} is valid. */
    static long checkCount(String name, long count) {
        if (count < 0) {
            throw new SequenceException.Misconfigured(name, "a count must be at least 1, not " + count);
        }
        return count;
    }
}
