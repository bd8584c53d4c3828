// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.Window;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * A single statement, in one round trip, that adds to a counter if a guard holds, and returns the new counter.
 * Implementations are immutable and thread-safe.
 */
@FunctionalInterface
public interface CounterAdvance {

    /** Returns the statement. Its first parameter is the number to add; the others belong to the guard. */
    String sql(String table, String counter, String guard);

    /**
     * Returns {@code UPDATE … RETURNING}.
     *
     * @param returning the engine's spelling of the clause
     * @param plus the engine's operator for addition
     */
    static CounterAdvance returning(String returning, String plus) {
        return (table, counter, guard) -> "UPDATE " + table + " SET " + counter + " = " + counter + " " + plus
                + " ? WHERE " + guard + " " + returning + " " + counter;
    }

    /** Returns the same for sessions that only the store uses, whose settings are the store's own. */
    default CounterAdvance onOwnSession() {
        return this;
    }

    /** Returns whether the statement can report every counter that the window can produce. */
    default boolean canTell(Window window) {
        return true;
    }

    default PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** Runs the statement with bound parameters; returns the new counter, or empty if the guard held for no row. */
    default OptionalLong run(PreparedStatement statement) throws SQLException {
        try (ResultSet counter = statement.executeQuery()) {
            if (!counter.next()) {
                return OptionalLong.empty();
            }
            OptionalLong after = OptionalLong.of(counter.getLong(1));
            checkOneRow(counter.next() ? 2 : 1);
            return after;
        }
    }

    /** Refuses to draw if a statement matched several rows. */
    static void checkOneRow(int rows) {
        if (rows > 1) {
            throw new Misconfigured(
                    "a sequence has more than one row in its table; delete all but one, and make the name the primary key");
        }
    }
}
