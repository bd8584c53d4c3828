// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.functions;

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
public interface SqlFunctions {

    /**
     * What comes before the quoted names of tables and functions: where they are, followed by a dot, or nothing. The first
     * thing that is asked in the transaction of an installation.
     */
    String prefix(Connection connection) throws SQLException;

    /**
     * Creates the tables, then creates or replaces the functions, inside the connection's transaction.
     *
     * @param createTables the statements that create the tables unless they are there, with the prefix
     * @throws dev.seriatim.SequenceException.Misconfigured when functions of these names are there that are not ours, or
     *     are over another table; when others could have code of theirs run with this user's rights, by what they own; or
     *     when a setting of the server forbids the functions
     */
    void install(Connection connection, List<String> createTables) throws SQLException;

    /** The same as text that the engine's own client loads as it is. */
    String script(Connection connection, List<String> createTables) throws SQLException;

    /** Advice on the least privileges their callers need, one line each, as SQL comments. */
    List<String> grants(String prefix);
}
