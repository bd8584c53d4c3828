// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The functions {@code next_val}, {@code last_val}, {@code set_val}, {@code create_sequence} and {@code drop_sequence} of
 * one engine family, over one table: who speaks SQL and who uses the library draw from the same rows.
 *
 * <p>They run with the rights of who installed them, so that their callers need none on the table.
 *
 * <p>Implementations are immutable and thread-safe.
 */
interface SqlFunctions {

    /**
     * Creates or replaces them; the table is there.
     *
     * @throws dev.seriatim.SequenceException.Misconfigured when functions of these names are there that are not ours, or
     *     are over another table; or when a setting of the server forbids them
     */
    void install(Connection connection) throws SQLException;

    /** The same, after the table, as text that the engine's own client loads as it is. */
    String script(Connection connection, String createTable) throws SQLException;

    /** Advice on the least privileges their callers need, one line each, as SQL comments. */
    List<String> grants();
}
