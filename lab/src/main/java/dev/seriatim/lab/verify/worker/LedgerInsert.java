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
public record LedgerInsert(String statement) {

    /** Returns the one of a table, by its quoted name; empty if there is none. */
    public static LedgerInsert into(String quotedTable) {
        return new LedgerInsert(quotedTable.isEmpty() ? "" : "INSERT INTO " + quotedTable + " VALUES (?)");
    }

    /** Inserts them, if the transaction is a JDBC connection. */
    public void insert(Object transaction, Numbers numbers) throws SQLException {
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
