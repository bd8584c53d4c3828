// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import dev.seriatim.table.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * One statement, in one round trip, that adds to a counter where a guard holds and tells the counter after it.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface CounterAdvance {

    /** The statement; its first parameter is what to add, the others are the guard's. */
    String sql(String table, String counter, String guard);

    /** Whether it can tell every counter that a window leads to. */
    boolean canTell(Window window);

    /** Prepares it. */
    PreparedStatement prepare(Connection connection, String sql) throws SQLException;

    /**
     * Runs it, with all parameters bound.
     *
     * @return the counter after it; empty when the guard held for no row
     */
    OptionalLong run(PreparedStatement statement) throws SQLException;
}
