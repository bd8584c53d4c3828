// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.PoolClaim;
import dev.seriatim.jdbc.dialect.Settings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The claim of MariaDB and MySQL: one statement locks the lowest free rows, another deletes them.
 *
 * <p>At their usual isolation level a search also locks the gaps between the rows that it has passed, until its transaction
 * ends. So it must pass none where rows are inserted: not below a pool, where that of another sequence ends (there is a row
 * at place 0 that is never claimed), and not above it (see {@link #rest}).
 *
 * @param table the table of the pools, quoted
 * @param bareTable the same, not quoted
 * @param queues whether a search stands in the queue for a lock for a moment before it skips it, as MariaDB's does: who looks
 *     for deadlocks at that moment sees one between two transactions that pass each other's rows
 */
record LockThenDelete(String table, String bareTable, boolean queues) implements PoolClaim {

    /** More transactions than these would have to find nothing at the same moment until one gets to the end. */
    private static final int REST = 64;

    private static final String EXISTS =
            "SELECT 'yes' FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";

    @Override
    public List<Row> take(Connection connection, String name, Places places, int count) throws SQLException {
        while (true) {
            List<Row> rows = lock(connection, name, places, count);
            List<Row> taken = rows.isEmpty() ? rows : deleted(connection, name, rows);
            if (rows.isEmpty() || !taken.isEmpty()) {
                return taken;
            }
        }
    }

    @Override
    public void seeCommitted(Connection connection) throws SQLException {
        // READ UNCOMMITTED would see no row that is claimed, and SERIALIZABLE lock the others, and wait for those.
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        }
    }

    @Override
    public boolean blind(Connection connection) {
        // Locking reads see what is committed, whatever the snapshot.
        return false;
    }

    @Override
    public boolean upwards() {
        return queues;
    }

    @Override
    public Set<Long> held(Connection connection, String name, Places places) throws SQLException {
        String sql = "SELECT place FROM " + table + " WHERE name = ? AND place BETWEEN ? AND ?";
        seeCommitted(connection);
        Set<Long> held = PoolClaim.places(connection, sql, name, places); // all that are committed
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        try { // what this sees is without the rows that open transactions have deleted
            held.removeAll(PoolClaim.places(connection, sql, name, places));
            return held;
        } finally {
            connection.setTransactionIsolation(before);
        }
    }

    @Override
    public boolean tableExists(Connection connection) throws SQLException {
        return Settings.read(connection, EXISTS, bareTable).isPresent();
    }

    @Override
    public void boundWaiting(Connection connection) {
        // innodb_lock_wait_timeout bounds it.
    }

    @Override
    public int rest() {
        return REST;
    }

    @Override
    public String tableOptions() {
        return " ENGINE = InnoDB";
    }

    private List<Row> lock(Connection connection, String name, Places places, int count) throws SQLException {
        // Named, so that the optimizer never reads, and so locks, a small table from one end to the other.
        String sql = "SELECT place, value FROM " + table + " FORCE INDEX (PRIMARY)"
                + " WHERE name = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT ? FOR UPDATE SKIP LOCKED";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return PoolClaim.rows(statement, name, places, count);
        }
    }

    /** Deletes rows, and returns those that were there: another thread that draws in the same transaction may lock them as well. */
    private List<Row> deleted(Connection connection, String name, List<Row> rows) throws SQLException {
        // One by one: a list of places could be looked up by a search, which would lock, and wait for, what lies
        // between.
        try (PreparedStatement statement =
                connection.prepareStatement("DELETE FROM " + table + " WHERE name = ? AND place = ?")) {
            for (Row row : rows) {
                statement.setString(1, name);
                statement.setLong(2, row.place());
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            List<Row> deleted = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] != 0) {
                    deleted.add(rows.get(i));
                }
            }
            return deleted;
        }
    }
}
