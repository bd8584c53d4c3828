// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * A single statement, in one round trip, that adds to a counter if a guard holds, and returns the new counter.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface CounterAdvance {

    /** Returns the same for sessions that no one else has used, whose settings are the store's own. */
    default CounterAdvance onOwnSession() {
        return this;
    }

    /** Returns the statement. Its first parameter is the number to add; the others belong to the guard. */
    String sql(String table, String counter, String guard);

    /** Returns whether the statement can report every counter that the window can produce. */
    boolean canTell(Window window);

    /** Prepares the statement. */
    PreparedStatement prepare(Connection connection, String sql) throws SQLException;

    /**
     * Runs the statement, with all parameters bound.
     *
     * @return the new counter; empty if the guard held for no row
     */
    OptionalLong run(PreparedStatement statement) throws SQLException;
}
