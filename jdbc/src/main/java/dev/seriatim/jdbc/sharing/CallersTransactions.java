// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Optional;

/**
 * Whether numbers are dealt inside transactions that callers end (SYNC and GROUPED). They are not where a rollback takes
 * back what others have committed, unless told to only warn.
 *
 * <p>Immutable and thread-safe.
 *
 * @param refusal why they are not; empty when they are
 */
public record CallersTransactions(Optional<String> refusal) {

    public static final CallersTransactions ALLOWED = new CallersTransactions(Optional.empty());

    /**
     * Looks before a number of this sequence is drawn in such a transaction.
     *
     * @throws Misconfigured when none is
     */
    public void check(String name) {
        if (refusal.isPresent()) {
            throw new Misconfigured(name, refusal.get());
        }
    }
}
