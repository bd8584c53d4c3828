// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/**
 * Put on a transaction when the counter is locked in it, and looked for before the commit: it is gone with the transaction that
 * it was put on.
 *
 * <p>A unit can end the transaction behind everybody's back: with a COMMIT in a text, with a statement that commits by itself
 * (as changes of tables do in MySQL), or by keeping to itself that a deadlock rolled everything back. Whatever came before is
 * then committed without the counter, or gone; and what comes after runs without its lock.
 */
@FunctionalInterface
interface Seal {

    /** Whether this is still the transaction that it was put on; an exception of a statement on a missing savepoint says no. */
    boolean holds(Connection connection) throws SQLException;

    /** A savepoint, which can be released only while it is there. */
    static Seal savepoint(Connection connection) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        return later -> {
            later.releaseSavepoint(savepoint);
            return true;
        };
    }

    /** The engine's own name for the transaction, as a query tells it. */
    static Seal name(Connection connection, String query) throws SQLException {
        String name = Settings.read(connection, query).orElse("");
        return later -> Settings.read(later, query).orElse("").equals(name);
    }
}
