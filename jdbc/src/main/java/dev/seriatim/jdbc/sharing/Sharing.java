// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.jdbc.connection.Connections;
import dev.seriatim.jdbc.connection.Transactions;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.SavepointSupport;
import dev.seriatim.jdbc.dialect.Seal;
import dev.seriatim.jdbc.dialect.SealSupport;
import dev.seriatim.jdbc.failure.SqlFailures;
import dev.seriatim.jdbc.row.CounterRows;
import dev.seriatim.store.SequenceState;
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
        CounterRows rows,
        SqlFailures failures,
        CallersTransactions allowed) {

    /** Returns the same over other connections. */
    public Sharing over(Connections others) {
        return new Sharing(
                new Transactions(others, dialect, failures, failures.patience()), dialect, rows, failures, allowed);
    }

    /** Begins a transaction with this sequence's counter locked in it. */
    public SharedTransaction<Connection> begin(String name) {
        allowed.check(name);
        Connections.Lease lease = transactions.begin(name);
        boolean begun = false;
        try {
            SequenceState counter =
                    rows.lock(lease.connection(), name).orElseThrow(() -> new NotFound(name, failures.place()));
            SharedTransaction<Connection> transaction =
                    sealed(new SharedConnection(transactions, lease, counter, rows, failures));
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

    private SharedTransaction<Connection> sealed(SharedConnection shared) throws SQLException {
        Seal seal = SealSupport.of(dialect, shared.unguarded());
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
