// SPDX-License-Identifier: Apache-2.0
/** Sequences in a table of an SQL database. Start with {@link dev.seriatim.jdbc.JdbcSequences}. */
@NullMarked
package dev.seriatim.jdbc;

import org.jspecify.annotations.NullMarked;
