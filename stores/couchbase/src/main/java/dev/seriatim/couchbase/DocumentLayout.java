// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.SequenceState;
import java.util.Optional;
import java.util.function.Function;

/** The kind of a sequence's document, and how to draw values from it. Implementations are thread-safe. */
sealed interface DocumentLayout permits OwnDocuments, BareCounters {

    /** Takes the next values; see {@link dev.seriatim.store.SequenceStore#reserve}. */
    Reservation reserve(String name, long count);

    /** Creates a sequence's document. */
    void create(SequenceDefinition definition);

    /** Returns the state of a sequence; empty if it does not exist. */
    Optional<SequenceState> read(String name);

    /**
     * Rewrites a sequence, with no draw in between.
     *
     * @param change returns the new state, given the current one; may be called again; empty to leave it unchanged
     * @return the new state, or empty if nothing was changed
     */
    Optional<SequenceState> rewrite(String name, Function<SequenceState, Optional<SequenceState>> change);

    /** Removes the document of a sequence after it was {@linkplain #read read}. */
    void remove(String name);
}
