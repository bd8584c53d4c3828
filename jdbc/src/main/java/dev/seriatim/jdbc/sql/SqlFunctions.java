// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.store.ColumnName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The functions {@code next_val}, {@code last_val}, {@code set_val}, {@code create_sequence} and {@code
 * drop_sequence} of one engine family, over one table. SQL and the library draw from the same rows.
 *
 * <p>They run with the privileges of the user who installed them, so their callers need none on the table.
 * Implementations are immutable and thread-safe.
 */
public interface SqlFunctions {

    /**
     * Returns the qualifier of the quoted names of tables and functions: their schema and a dot, or nothing. Must be
     * the first call in an installation's transaction.
     */
    String prefix(Connection connection) throws SQLException;

    /**
     * Creates the tables, then creates or replaces the functions, inside the connection's transaction.
     *
     * @param createTables the statements that create the tables if they do not exist, with the prefix
     * @throws dev.seriatim.SequenceException.Misconfigured if functions of these names exist that are not ours or are
     *     over another table; if other users could run their code with this user's privileges through objects they
     *     own; or if a server setting forbids the functions
     */
    void install(Connection connection, List<String> createTables) throws SQLException;

    /** Returns the installation as a script that the engine's own client can load unchanged. */
    String script(Connection connection, List<String> createTables) throws SQLException;

    /**
     * Lets the database number the rows of a column at the commit of their transaction, or ends that. Must be the first call
     * in a transaction, and calls the functions.
     *
     * @param sequence the sequence of the numbers; empty to end it
     * @param prints whether to change nothing
     * @return this as a script; empty if the engine has no trigger that runs at the commit
     * @throws dev.seriatim.SequenceException.Misconfigured if the column cannot be numbered so, or is not
     */
    default Optional<String> atCommit(
            Connection connection, ColumnName column, Optional<String> sequence, boolean prints) throws SQLException {
        return Optional.empty();
    }

    /** Returns the least privileges that callers need, one line each, as SQL comments. */
    List<Grant> grants(String prefix);
}
