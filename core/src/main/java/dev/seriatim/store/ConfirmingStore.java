// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException;
import java.time.Duration;
import java.util.Optional;

/**
 * Capability of a store that can read a counter linearizably: a read shows every reservation whose {@link #reserve} has
 * returned before the read was sent, in any process. CONFIRMED deals values in hand after such a read, at the price of a
 * read instead of a commit.
 *
 * <p>A read does not wait for locks and takes none. It does not show what a transaction has drawn but not yet committed.
 *
 * <p>Implementations are thread-safe.
 */
public interface ConfirmingStore extends SequenceStore {

    /**
     * Reads a counter linearizably.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Unavailable if the store cannot be reached
     * @throws SequenceException.Misconfigured if what answers is a standby
     */
    SequenceState read(String name);

    /**
     * Like {@link #read}, but on a thread that belongs to a caller: waits for nothing but the answer to one query, and for
     * that no longer than {@code atMost}; with zero, for nothing at all. An interrupt must do no harm, and need not end the wait.
     *
     * @return the counter; empty if that is not possible at this moment, or the answer did not come in time
     */
    default Optional<SequenceState> readHere(String name, Duration atMost) {
        return Optional.empty();
    }

    /**
     * Returns why this store's reads are not linearizable after all, such as a connection that leads to a standby, as a
     * clause; usually empty. May query the store.
     */
    default Optional<String> whyNotConfirmed() {
        return Optional.empty();
    }

    /** Returns why CONFIRMED is refused over a store, as a clause; empty if it is not. */
    static Optional<String> whyNot(SequenceStore store) {
        return store instanceof ConfirmingStore confirming
                ? confirming.whyNotConfirmed()
                : Optional.of("it cannot read a counter so that the read shows every reservation made before");
    }
}
