// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Claims rows of the pool inside the caller's transaction without waiting, in one engine's SQL.
 * Implementations are immutable and thread-safe.
 */
public interface PoolClaim {

    record Row(long place, long number) {}

    /** Removes up to {@code count} free rows at the lowest places from the pool. */
    List<Row> take(Connection connection, String name, Places places, int count) throws SQLException;

    @FunctionalInterface
    interface ByKey {

        /** Removes the row at a place if it holds a free number; never waits for a transaction that holds it. */
        Optional<Row> take(Connection connection, String name, long place) throws SQLException;
    }

    /** Returns how to claim by key on this server; empty if the engine, or this server's settings, do not allow that. */
    default Optional<ByKey> byKey(Connection connection) throws SQLException {
        return Optional.empty();
    }

    /**
     * Makes the store's next transaction or query on a connection see only committed data, and lock nothing that it only
     * reads, whatever the isolation level.
     */
    default void seeCommitted(Connection connection) throws SQLException {}

    /** The places between two bounds, both inclusive. */
    record Places(long from, long to) {

        public Places from(long place) {
            return new Places(place, to);
        }
    }

    /** Returns the rows of a statement whose parameters are a name, two places and a count, in this order. */
    static List<Row> rows(PreparedStatement statement, String name, Places places, int count) throws SQLException {
        statement.setString(1, name);
        statement.setLong(2, places.from());
        statement.setLong(3, places.to());
        statement.setInt(4, count);
        try (ResultSet row = statement.executeQuery()) {
            List<Row> rows = new ArrayList<>();
            while (row.next()) {
                rows.add(new Row(row.getLong(1), row.getLong(2)));
            }
            return rows;
        }
    }

    /** Returns whether this transaction cannot see rows that were committed after it began. */
    default boolean blind(Connection connection) throws SQLException {
        return false;
    }

    /** Returns whether claims of one transaction must go upwards, or the engine could see a deadlock. */
    default boolean upwards() {
        return false;
    }

    /** Returns which of the given places hold numbers that open transactions have claimed; takes no locks. */
    Set<Long> held(Connection connection, String name, Places places) throws SQLException;

    /** Prevents this transaction from waiting for locks indefinitely if the engine would allow that. */
    default void boundWaiting(Connection connection) throws SQLException {}

    /** Returns the number of rows to leave at a pool's upper end, so that no claim locks the place of the next rows. */
    default int rest() {
        return 0;
    }

    /** Returns what follows the column list when the table is created. */
    String tableOptions();
}
