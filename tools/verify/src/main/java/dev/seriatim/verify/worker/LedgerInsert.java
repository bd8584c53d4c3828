// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.store.OpenStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Inserts numbers into a ledger, in the transaction that drew them. Immutable. */
record LedgerInsert(OpenStore store, LaneOrder order) {

    /** Inserts numbers, if there is a ledger; {@link IllegalStateException} if one is there already. */
    void insert(Object transaction, Numbers numbers) throws SQLException {
        if (!(store instanceof JdbcStore database)
                || !(transaction instanceof Connection connection)
                || order.ledger().isEmpty()) {
            return;
        }
        String sql = "INSERT INTO " + database.dialect().quote(order.ledger()) + " (n) VALUES (?)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (long i = 0; i < numbers.count(); i++) {
                insert(database, insert, numbers.get(i));
            }
        }
    }

    boolean isConflict(SQLException e) {
        return store instanceof JdbcStore database && database.dialect().fault(e) == Fault.CONFLICT;
    }

    private static void insert(JdbcStore database, PreparedStatement insert, long number) throws SQLException {
        insert.setLong(1, number);
        try {
            insert.executeUpdate();
        } catch (SQLException e) {
            if (database.dialect().fault(e) == Fault.DUPLICATE) { // the key is the only constraint
                throw new IllegalStateException(
                        number + " was drawn, and is committed already (" + e.getMessage() + ")", e);
            }
            throw e;
        }
    }
}
