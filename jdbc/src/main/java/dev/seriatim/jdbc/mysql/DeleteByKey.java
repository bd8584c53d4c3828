// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Claims one row by its key on MariaDB, with a single statement that does not wait: it fails if another transaction
 * holds the row. That undoes the statement alone, unless the server is set to roll back the transaction.
 *
 * <p>At the default isolation level, it locks the gap below the next row if a row is missing. Places are within the
 * pool, so nothing is inserted there.
 *
 * @param table the table of the pools, quoted
 */
record DeleteByKey(String table) implements PoolClaim.ByKey {

    static final String ROLLS_BACK = "SELECT @@GLOBAL.innodb_rollback_on_timeout";

    /** ER_LOCK_WAIT_TIMEOUT. */
    private static final int HELD = 1205;

    @Override
    public Optional<PoolClaim.Row> takeOne(Connection connection, String name, List<Long> places) throws SQLException {
        // The optimizer reads a few keys one by one, whatever the table's size.
        String sql = "SET STATEMENT innodb_lock_wait_timeout = 0 FOR DELETE FROM " + table
                + " WHERE name = ? AND place "
                + (places.size() == 1 ? "= ?" : "IN (?" + ", ?".repeat(places.size() - 1) + ") ORDER BY place LIMIT 1")
                + " RETURNING place, value";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            for (int i = 0; i < places.size(); i++) {
                statement.setLong(i + 2, places.get(i));
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new PoolClaim.Row(row.getLong(1), row.getLong(2))) : Optional.empty();
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == HELD) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
