// SPDX-License-Identifier: Apache-2.0
/**
 * Sequences as rows of a table: which table, and what its numbers mean. Users need only {@link SequenceTable}; the rest
 * is for stores on databases that have tables.
 */
@NullMarked
package dev.seriatim.table;

import org.jspecify.annotations.NullMarked;
