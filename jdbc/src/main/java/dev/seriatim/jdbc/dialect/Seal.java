// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/**
 * Put on a transaction when the counter is locked in it, and looked for before it is ended: it is gone with the transaction that
 * it was put on.
 *
 * <p>A unit can end the transaction behind everybody's back: with a COMMIT in a text, with a statement that commits by itself
 * (as changes of tables do in MySQL), or by keeping to itself that a deadlock rolled everything back. Whatever came before is
 * then committed without the counter, or gone; and what comes after runs without its lock.
 */
public interface Seal {

    /** Whether this is still the transaction that it was put on; an exception of a statement on a missing savepoint says no. */
    boolean holds(Connection connection) throws SQLException;

    /** The same of a transaction that will be rolled back, in whatever state it is; may undo what was done in it. */
    default boolean heldUntilNow(Connection connection) throws SQLException {
        return holds(connection);
    }

    /** A savepoint, which can be released only while it is there. */
    static Seal savepoint(Connection connection) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        return new Seal() {
            @Override
            public boolean holds(Connection later) throws SQLException {
                later.releaseSavepoint(savepoint);
                return true;
            }

            @Override
            public boolean heldUntilNow(Connection later) throws SQLException {
                // Works in a transaction that a failed statement has spoiled, too, as PostgreSQL has them.
                later.rollback(savepoint);
                return true;
            }
        };
    }

    /** The engine's own name for the transaction, as a query tells it. */
    static Seal name(Connection connection, String query) throws SQLException {
        String name = Settings.read(connection, query).orElse("");
        return later -> Settings.read(later, query).orElse("").equals(name);
    }
}
