// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.Optional;

/**
 * Capability of a store that can read a counter linearizably: a read shows every reservation whose {@link #reserve} has
 * returned before the read was sent, in any process. CONFIRMED deals reserved values after such a read, which costs
 * less than a commit.
 *
 * <p>A read does not wait for locks and takes none. It does not show what a transaction has drawn but not yet committed.
 * Implementations are thread-safe.
 */
public interface ConfirmingStore extends SequenceStore {

    /**
     * Reads a counter linearizably.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Unavailable if the store cannot be reached
     * @throws SequenceException.Misconfigured if a standby answers
     */
    SequenceState read(String name);

    /**
     * Like {@link #read}, but on a caller's thread. Waits only for the answer to one query, at most {@code atMost}; with
     * zero, does not wait. An interrupt must do no harm, and need not end the wait.
     *
     * @return the counter; empty if reading here is not possible at this moment, or the answer did not come in time
     */
    default Optional<SequenceState> readHere(String name, Duration atMost) {
        return Optional.empty();
    }

    /** Returns why this store's reads are not linearizable after all, as a clause; usually empty. May query the store. */
    default Optional<String> whyNotConfirmed() {
        return Optional.empty();
    }

    /** Returns why CONFIRMED is not possible over a store, as a clause; empty if it is. */
    static Optional<String> whyNot(SequenceStore store) {
        return store instanceof ConfirmingStore confirming
                ? confirming.whyNotConfirmed()
                : Optional.of("its reads do not show every earlier reservation");
    }
}
