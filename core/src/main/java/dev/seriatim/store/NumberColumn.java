// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A column that holds the numbers of a sequence, in one of the user's tables. Immutable and thread-safe.
 *
 * @param time the column of the same table that holds the row's creation time; empty if the order does not matter
 * @param from the first number to read, in the direction of the sequence; empty for all
 */
public record NumberColumn(ColumnName numbers, Optional<ColumnName> time, OptionalLong from) {}
