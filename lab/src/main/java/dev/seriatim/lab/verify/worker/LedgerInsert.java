// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.worker;

import dev.seriatim.Numbers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Inserts numbers into a ledger, in the transaction that drew them. Immutable.
 *
 * @param statement the statement; empty if there is no ledger
 */
record LedgerInsert(String statement) {

    static LedgerInsert into(String quotedTable) {
        return new LedgerInsert(quotedTable.isEmpty() ? "" : "INSERT INTO " + quotedTable + " VALUES (?)");
    }

    void insert(Object transaction, Numbers numbers) throws SQLException {
        if (transaction instanceof Connection connection && !statement.isEmpty()) {
            try (PreparedStatement insert = connection.prepareStatement(statement)) {
                for (long i = 0; i < numbers.count(); i++) {
                    insert.setLong(1, numbers.get(i));
                    insert.executeUpdate();
                }
            }
        }
    }
}
