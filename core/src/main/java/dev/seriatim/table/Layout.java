// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.table;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceState;
import java.util.List;
import java.util.Optional;

/**
 * How a sequence is written down in a row: a name, a counter, and perhaps more, all of them 64-bit numbers but the name.
 * Immutable and thread-safe.
 */
public sealed interface Layout permits DefinitionRow, PlainRow {

    /** The numeric columns, the counter first. */
    List<String> columns();

    /** The numbers of a row, in the order of {@link #columns()}. */
    long[] numbers(SequenceState state);

    /**
     * What a row's numbers mean.
     *
     * @throws Misconfigured when they contradict each other
     */
    SequenceState state(String name, long[] numbers);

    /** The window of a block in terms of the counter that is stored. */
    Optional<Window> window(SequenceDefinition definition, long count);

    /** The next value that a stored counter stands for. */
    long next(SequenceDefinition definition, long counter);

    /**
     * What a new row will hold of a definition.
     *
     * @throws Misconfigured when it cannot hold what was asked for
     */
    SequenceDefinition adopt(SequenceDefinition wanted);

    /** Whether sequences can differ in more than their counter. */
    boolean holdsDefinition();

    /** Whether a row keeps the epoch, so that it shows that its counter was set. */
    boolean holdsEpoch();

    /**
     * The same counter under another definition.
     *
     * @param place where the row is, for people
     * @throws Misconfigured when the row cannot hold that, or {@link SequenceState#redefined} refuses it
     */
    default SequenceState redefined(SequenceState state, SequenceDefinition changed, String place) {
        if (!holdsDefinition() && !changed.equals(state.definition())) {
            throw new Misconfigured(
                    changed.name(),
                    "its row in " + place
                            + " holds the counter alone; change what its sequences are where the store is opened");
        }
        return state.redefined(changed);
    }

    /** The layout of a table. */
    static Layout of(SequenceTable table) {
        return table.kind() == SequenceTable.Kind.OWN ? new DefinitionRow() : new PlainRow(table);
    }
}
