// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import dev.seriatim.verify.worker.TransactionDraws.RolledBackOnPurpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;

/**
 * Inserts numbers into a ledger, in the transaction that drew them. Immutable.
 *
 * @param statement empty if there is no ledger
 */
record LedgerInsert(String statement) {

    /** Class 23 of SQLSTATE, for violated constraints. */
    private static final String CONSTRAINT = "23";

    /** SQLite's driver gives no SQLSTATE. */
    private static final int SQLITE_CONSTRAINT = 19;

    /** Returns the insert for a quoted table name, which may be empty. */
    static LedgerInsert into(String quotedTable) {
        return new LedgerInsert(quotedTable.isEmpty() ? "" : "INSERT INTO " + quotedTable + " VALUES (?)");
    }

    /**
     * Inserts numbers, if the transaction is a JDBC connection.
     *
     * @throws IllegalStateException if a number is there already
     */
    void insert(Object transaction, Numbers numbers) throws SQLException {
        if (transaction instanceof Connection connection && !statement.isEmpty()) {
            try (PreparedStatement insert = connection.prepareStatement(statement)) {
                for (long i = 0; i < numbers.count(); i++) {
                    insert(insert, numbers.get(i));
                }
            }
        }
    }

    /**
     * Stores the numbers of a transaction, and records them.
     *
     * @throws RolledBackOnPurpose if the transaction is to be rolled back
     */
    boolean store(Object transaction, Numbers numbers, LaneLog log, boolean rollBack)
            throws SQLException, RolledBackOnPurpose {
        insert(transaction, numbers);
        log.took(numbers);
        if (rollBack) {
            throw new RolledBackOnPurpose();
        }
        log.committing();
        return true;
    }

    private static void insert(PreparedStatement insert, long number) throws SQLException {
        insert.setLong(1, number);
        try {
            insert.executeUpdate();
        } catch (SQLException e) {
            if (isRepeated(e)) {
                throw new IllegalStateException(
                        number + " was drawn, and is committed already (" + e.getMessage() + ")", e);
            }
            throw e;
        }
    }

    /** Returns whether the ledger's key, its only constraint, refused a row. */
    private static boolean isRepeated(SQLException e) {
        String state = e.getSQLState();
        return e instanceof SQLIntegrityConstraintViolationException
                || (state == null ? e.getErrorCode() == SQLITE_CONSTRAINT : state.startsWith(CONSTRAINT));
    }
}
