// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A column that holds the numbers of a sequence, in one of the user's tables.
 *
 * <p>Immutable and thread-safe.
 *
 * @param table the table, a plain identifier
 * @param column the column, a plain identifier
 * @param time the column that holds the row's creation time, a plain identifier; empty if the order does not matter
 * @param from the first number to read, in the direction of the sequence; empty for all
 */
public record NumberColumn(String table, String column, Optional<String> time, OptionalLong from) {}
