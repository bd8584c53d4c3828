// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import dev.seriatim.Sequences;
import dev.seriatim.store.SequenceStore;
import java.util.List;

/**
 * Sequences together with the store they are drawn from, for tools that show both.
 *
 * <p>Thread-safe.
 */
public interface StoredSequences extends Sequences {

    /**
     * Returns the underlying store. If it is a {@link dev.seriatim.store.SequenceCatalog}, it lists, changes and removes
     * sequences.
     */
    SequenceStore store();

    /**
     * Returns the sequences that are open here, ordered by name, with their modes and values in hand. Does not query the
     * store. A {@link dev.seriatim.GaplessSequence} draws in the callers' transactions and is listed only in the modes
     * GROUPED and POOLED.
     */
    List<OpenSequence> opened();
}
