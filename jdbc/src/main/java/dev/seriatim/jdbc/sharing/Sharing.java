// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.jdbc.connection.Connections;
import dev.seriatim.jdbc.connection.OpenTransactionCheck;
import dev.seriatim.jdbc.connection.Transactions;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.LeanSharing;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.failure.SqlFailures;
import dev.seriatim.jdbc.row.CounterDraw;
import dev.seriatim.jdbc.row.CounterRows;
import dev.seriatim.store.SharedTransaction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Begins transactions that callers share.
 *
 * <p>Immutable and thread-safe.
 */
public record Sharing(
        Transactions transactions,
        Dialect dialect,
        OpenTransactionCheck check,
        CounterDraw draw,
        CounterRows rows,
        SqlFailures failures,
        CallersTransactions allowed) {

    /** Returns the same over other connections. */
    public Sharing over(Connections others) {
        return new Sharing(
                new Transactions(others, dialect, failures, failures.patience()),
                dialect,
                check,
                draw,
                rows,
                failures,
                allowed);
    }

    /** Begins a transaction with this sequence's counter locked in it. */
    public SharedTransaction<Connection> begin(String name) {
        allowed.check(name);
        Connections.Lease lease = transactions.begin(name);
        boolean begun = false;
        try {
            SharedTransaction<Connection> transaction = sealed(lease, draw.lock(lease.connection(), name));
            begun = true;
            return transaction;
        } catch (SQLException e) {
            throw failures.atBegin(name, e);
        } finally {
            if (!begun) {
                transactions.rollBack(lease);
            }
        }
    }

    private SharedTransaction<Connection> sealed(Connections.Lease lease, CounterDraw.Locked counter)
            throws SQLException {
        LateSeal seal = new LateSeal(dialect, lease.connection(), check);
        if (!LeanSharing.of(dialect)) {
            seal.set();
        }
        SharedConnection shared = new SharedConnection(transactions, lease, counter, rows, failures, seal);
        return dialect instanceof SavepointSupport savepoints
                ? new MarkedConnection(shared, seal, savepoints)
                : new SealedConnection(shared, seal);
    }

    /** Returns whether the row can be read, even if another session has locked it. */
    public boolean answers(String name) {
        return transactions
                .reading(name, connection -> rows.read(connection, name))
                .isPresent();
    }
}
