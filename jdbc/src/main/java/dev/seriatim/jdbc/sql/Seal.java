// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Marks a transaction when the counter is locked in it; checked before the transaction ends. The mark disappears with
 * its transaction.
 *
 * <p>A unit can end the transaction unnoticed: with a COMMIT in SQL text, with a statement that commits implicitly
 * (such as DDL in MySQL), or by swallowing a deadlock's exception after it rolled everything back. Earlier work is
 * then committed without the counter, or lost; later work runs without its lock.
 */
public interface Seal {

    /** Returns whether this is still the marked transaction; an exception about a missing savepoint means no. */
    boolean holds(Connection connection) throws SQLException;

    /** Returns the same for a transaction that will be rolled back, in whatever state it is; may undo its changes. */
    default boolean heldUntilNow(Connection connection) throws SQLException {
        return holds(connection);
    }

    /** Returns whether a rollback to an older savepoint breaks it, too. */
    default boolean isSavepoint() {
        return false;
    }

    /** Marks it with the engine's own transaction identifier, which a query returns. */
    static Seal name(Connection connection, String query) throws SQLException {
        String name = Sql.read(connection, query).orElse("");
        return later -> Sql.read(later, query).orElse("").equals(name);
    }
}
