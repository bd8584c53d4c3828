// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * How long a statement waits for a lock that another transaction holds, as one engine bounds it: for that statement alone, in
 * its own round trip.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface LockWait {

    /** As long as the engine's own settings say. */
    LockWait UNBOUNDED = new LockWait() {};

    /** The statement with the bound in its text. It takes the same parameters and returns the same rows. */
    default String bounded(String sql) {
        return sql;
    }

    /** Sets the bound on the prepared statement. */
    default void bound(PreparedStatement statement) throws SQLException {}
}
