// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How one engine claims rows of the pool inside the caller's transaction, waiting for nobody.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface PoolClaim {

    /** A row that was claimed. */
    record Row(long place, long number) {}

    /**
     * Takes the rows at the lowest places that nobody holds out of the pool.
     *
     * @param places where to look
     * @param count how many at most, at least 1
     */
    List<Row> take(Connection connection, String name, Places places, int count) throws SQLException;

    /**
     * Lets the next transaction of ours on a connection, or the next query outside of transactions, see what is committed and
     * nothing else, and lock nothing that it only reads, whatever the connection's level: places that are held are not free, and nobody
     * who holds one is waited for.
     */
    void seeCommitted(Connection connection) throws SQLException;

    /** The places from one to another, both included. */
    record Places(long from, long to) {

        public Places from(long place) {
            return new Places(place, to);
        }
    }

    /** The rows that a statement finds which asks for a name, two places and a count, in this order. */
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

    /** Whether this transaction does not see rows that were committed after it began. */
    boolean blind(Connection connection) throws SQLException;

    /**
     * Whether one transaction must claim upwards only: a claim of its own that begins below rows it holds, and passes rows
     * that others hold, could be taken for a part of a deadlock.
     */
    boolean upwards();

    /** Which of some places hold numbers that open transactions have claimed right now; locks nothing. */
    Set<Long> held(Connection connection, String name, Places places) throws SQLException;

    /** The places that a query returns which asks for a name and two places, in this order. */
    static Set<Long> places(Connection connection, String sql, String name, Places places) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setLong(2, places.from());
            statement.setLong(3, places.to());
            try (ResultSet row = statement.executeQuery()) {
                Set<Long> found = new HashSet<>();
                while (row.next()) {
                    found.add(row.getLong(1));
                }
                return found;
            }
        }
    }

    /** Whether the table of the pools is there; does not fail when it is not. */
    boolean tableExists(Connection connection) throws SQLException;

    /** Keeps this transaction from waiting for locks for ever, where the engine would let it. */
    void boundWaiting(Connection connection) throws SQLException;

    /**
     * So many rows at the upper end of a pool are not to be claimed until others have been laid out behind them: a claim that
     * finds nothing comes to rest on one of them, so that it never locks the place where the next ones go.
     */
    int rest();

    /** What follows the column list when the table is created. */
    String tableOptions();
}
