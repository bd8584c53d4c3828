// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.jdbc.sql.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Claims rows on MariaDB and MySQL: one statement locks the lowest free rows, another deletes them.
 *
 * <p>At the default isolation level, a search also locks the gaps between the rows that it passes. So it must not pass a
 * gap where rows are inserted: neither below a pool (a row at place 0 is never claimed) nor above it (see {@link #rest}).
 *
 * <p>Locking reads see committed data, whatever the snapshot, and innodb_lock_wait_timeout limits their waits.
 *
 * @param table the table of the pools, quoted
 * @param queues whether a search briefly joins the queue for a lock before it skips it, as MariaDB's does: deadlock
 *     detection then sees a deadlock between two transactions that pass each other's rows
 * @param before the beginning of a locking statement
 */
record LockThenDelete(String table, boolean queues, String before) implements PoolClaim {

    /** For a search to get to the end, more transactions than this must find nothing at the same moment. */
    private static final int REST = 64;

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

    /** {@inheritDoc} On MySQL, a single statement cannot refuse to wait for a lock. */
    @Override
    public Optional<ByKey> byKey(Connection connection) throws SQLException {
        boolean undoesStatement = queues
                && Sql.read(connection, DeleteByKey.ROLLS_BACK)
                        .filter("0"::equals)
                        .isPresent();
        return undoesStatement ? Optional.of(new DeleteByKey(table, before)) : Optional.empty();
    }

    @Override
    public void seeCommitted(Connection connection) throws SQLException {
        // READ UNCOMMITTED would not see claimed rows; SERIALIZABLE would lock the others and wait for those.
        Sql.execute(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    }

    @Override
    public boolean upwards() {
        return queues;
    }

    @Override
    public Set<Long> held(Connection connection, String name, Places places) throws SQLException {
        String sql = "SELECT place FROM " + table + " WHERE name = ? AND place BETWEEN ? AND ?";
        seeCommitted(connection);
        Set<Long> held =
                new HashSet<>(Sql.numbers(connection, sql, name, places.from(), places.to())); // all committed places
        int before = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        try { // this does not see the rows that open transactions have deleted
            Sql.numbers(connection, sql, name, places.from(), places.to()).forEach(held::remove);
            return held;
        } finally {
            connection.setTransactionIsolation(before);
        }
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
        // The index hint keeps the optimizer from scanning, and so locking, all of a small table.
        String sql = before + "SELECT place, value FROM " + table + " FORCE INDEX (PRIMARY)"
                + " WHERE name = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT ? FOR UPDATE SKIP LOCKED";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return PoolClaim.rows(statement, name, places, count);
        }
    }

    /** Deletes rows and returns those that existed: other threads of the transaction may have locked them too. */
    private List<Row> deleted(Connection connection, String name, List<Row> rows) throws SQLException {
        // One at a time: a list of places could use a range scan, which would lock, and wait for, the rows between.
        try (PreparedStatement statement =
                connection.prepareStatement(before + "DELETE FROM " + table + " WHERE name = ? AND place = ?")) {
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

    /**
     * Claims one row by its key on MariaDB, with a single statement that fails if another transaction holds the row. That
     * undoes the statement alone, unless the server is set to roll back the transaction. A missing row's gap is locked, where
     * nothing is inserted.
     *
     * @param table the table of the pools, quoted
     * @param before the beginning of a statement
     */
    private record DeleteByKey(String table, String before) implements PoolClaim.ByKey {

        static final String ROLLS_BACK = "SELECT @@GLOBAL.innodb_rollback_on_timeout";

        /** ER_LOCK_WAIT_TIMEOUT. */
        private static final int HELD = 1205;

        @Override
        public Optional<PoolClaim.Row> take(Connection connection, String name, long place) throws SQLException {
            String sql = MariaDbDialect.with(
                    "innodb_lock_wait_timeout = 0",
                    before + "DELETE FROM " + table + " WHERE name = ? AND place = ? RETURNING value");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, name);
                statement.setLong(2, place);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(new PoolClaim.Row(place, row.getLong(1))) : Optional.empty();
                }
            } catch (SQLException e) {
                if (e.getErrorCode() == HELD) {
                    return Optional.empty();
                }
                throw e;
            }
        }
    }
}
