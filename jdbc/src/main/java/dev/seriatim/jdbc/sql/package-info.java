// SPDX-License-Identifier: Apache-2.0
/**
 * Draws from rows in an SQL database: a {@link dev.seriatim.jdbc.sql.Dialect} says what an engine does in its own way,
 * {@link dev.seriatim.jdbc.sql.CounterDraw} takes blocks, {@link dev.seriatim.jdbc.sql.Transactions} run on
 * {@link dev.seriatim.jdbc.sql.Connections}, and {@link dev.seriatim.jdbc.sql.SqlFailures} translates exceptions.
 */
@NullMarked
package dev.seriatim.jdbc.sql;

import org.jspecify.annotations.NullMarked;
