// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.store.SequenceState;
import java.util.Optional;

/**
 * A sequence of this library.
 *
 * @param state its definition and its counter
 * @param column the column that holds its numbers, if its name says so or the user named it
 * @param extremes the ends of the numbers in that column
 */
public record LibrarySequence(SequenceState state, Optional<ColumnPath> column, Extremes extremes) {

    /** Returns a sequence whose column is not known. */
    public static LibrarySequence alone(SequenceState state) {
        return new LibrarySequence(state, Optional.empty(), Extremes.NONE);
    }

    public String name() {
        return state.definition().name();
    }
}
