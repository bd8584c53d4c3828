// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Optional;

/**
 * Decides whether numbers may be dealt inside transactions that callers end (SYNC and GROUPED). They may not if a
 * rollback can undo what others have committed, unless configured to only warn.
 *
 * <p>Immutable and thread-safe.
 *
 * @param refusal why they may not; empty if they may
 */
public record CallersTransactions(Optional<String> refusal) {

    public static final CallersTransactions ALLOWED = new CallersTransactions(Optional.empty());

    /**
     * Called before a number of this sequence is drawn in such a transaction.
     *
     * @throws Misconfigured if numbers may not be dealt there
     */
    public void check(String name) {
        if (refusal.isPresent()) {
            throw new Misconfigured(name, refusal.get());
        }
    }
}
