// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import java.util.List;
import java.util.Optional;

/**
 * Defines how a row stores a sequence: a name, a counter, and possibly more columns, all 64-bit integers except the
 * name. Immutable and thread-safe.
 */
public sealed interface Layout permits DefinitionRow, PlainRow {

    /** Returns the numeric columns, the counter first. */
    List<String> columns();

    /** Returns the numbers of a row, in the order of {@link #columns()}. */
    long[] numbers(SequenceState state);

    /** Returns the sequence that a row represents. Throws {@link Misconfigured} if its numbers contradict each other. */
    SequenceState state(String name, long[] numbers);

    /** Returns the window of a block, for the counter as stored. */
    Optional<Window> window(SequenceDefinition definition, long count);

    /** Returns the next value for a stored counter. */
    long next(SequenceDefinition definition, long counter);

    /** Returns the definition that a new row will hold. Throws {@link Misconfigured} if it cannot hold the wanted one. */
    SequenceDefinition adopt(SequenceDefinition wanted);

    /** Returns whether a row holds its sequence's definition, and the epoch, which shows that its counter was set. */
    boolean holdsDefinition();

    /**
     * Returns the same counter under another definition.
     *
     * @param place where the row is, for messages
     * @throws Misconfigured if the row cannot hold the definition, or {@link SequenceState#redefined} rejects it
     */
    default SequenceState redefined(SequenceState state, SequenceDefinition changed, String place) {
        if (!holdsDefinition() && !changed.equals(state.definition())) {
            throw new Misconfigured(
                    changed.name(),
                    "its row in " + place
                            + " holds only the counter; change the definition of its sequences where the store is opened");
        }
        return state.redefined(changed);
    }

    static Layout of(SequenceTable table) {
        return table.kind() == SequenceTable.Kind.OWN ? new DefinitionRow() : new PlainRow(table);
    }
}
