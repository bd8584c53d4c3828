// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.function.Function;

/** What a sequence's document is, and how values are drawn from it. Implementations are thread-safe. */
sealed interface DocumentLayout permits OwnDocuments, BareCounters {

    /** Takes the next values, as {@link dev.seriatim.store.SequenceStore#reserve} says. */
    Reservation reserve(String name, long count);

    /** Creates a sequence's document. */
    void create(SequenceDefinition definition);

    /** How a sequence stands; empty when there is none. */
    Optional<SequenceState> read(String name);

    /**
     * Rewrites a sequence that nobody draws from in between.
     *
     * @param change makes the new state from the one that is there; may be called again; empty when nothing is to change
     * @return the new state, or empty when nothing was changed
     */
    Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change);

    /** Removes the document of a sequence that was {@linkplain #read read}. */
    void remove(String name);
}
