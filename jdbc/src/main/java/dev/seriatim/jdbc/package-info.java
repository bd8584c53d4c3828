// SPDX-License-Identifier: Apache-2.0
/**
 * Sequences in a table of an SQL database. Start at {@link dev.seriatim.jdbc.JdbcStore}.
 */
@NullMarked
package dev.seriatim.jdbc;

import org.jspecify.annotations.NullMarked;
