// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A sequence of this library.
 *
 * @param state its definition and its counter
 * @param column the column that holds its numbers, if one is known by its name or was named
 * @param lowest the lowest number in that column; empty if there is none
 * @param highest the highest number in that column; empty if there is none
 */
public record LibrarySequence(
        SequenceState state, Optional<ColumnPath> column, Optional<BigInteger> lowest, Optional<BigInteger> highest) {}
