// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.dialect.PoolClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Claims one row by its key on MariaDB, with a single statement that does not wait: it fails if another transaction
 * holds the row. That undoes the statement alone, unless the server is set to roll back the transaction.
 *
 * <p>If the row is missing, it locks the gap in its place, at the default isolation level. That is within the pool, so
 * nothing is inserted there.
 *
 * @param table the table of the pools, quoted
 */
record DeleteByKey(String table) implements PoolClaim.ByKey {

    static final String ROLLS_BACK = "SELECT @@GLOBAL.innodb_rollback_on_timeout";

    /** ER_LOCK_WAIT_TIMEOUT. */
    private static final int HELD = 1205;

    @Override
    public Optional<PoolClaim.Row> take(Connection connection, String name, long place) throws SQLException {
        String sql = "SET STATEMENT innodb_lock_wait_timeout = 0 FOR DELETE FROM " + table
                + " WHERE name = ? AND place = ? RETURNING value";
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
