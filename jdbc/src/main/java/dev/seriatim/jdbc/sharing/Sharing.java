// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlWork;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sql.WatchedConnection;
import dev.seriatim.store.SharedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Begins transactions that callers share.
 *
 * @param refusal why numbers may not be dealt inside transactions that callers end (SYNC and GROUPED), because a
 *     rollback can undo what others have committed; empty if they may
 */
public record Sharing(
        Transactions transactions,
        SqlWork<Boolean> isOpen,
        CounterDraw draw,
        CounterRows rows,
        SqlFailures failures,
        Optional<String> refusal) {

    /** Refuses to deal a number inside a transaction that callers end. */
    public void check(String name) {
        if (refusal.isPresent()) {
            throw new Misconfigured(name, refusal.get());
        }
    }

    /** Begins a transaction with this sequence's counter locked in it. */
    public SharedTransaction<Connection> begin(String name) {
        check(name);
        Connections.Lease lease = transactions.begin(name);
        boolean begun = false;
        try {
            CounterDraw.Locked counter =
                    draw.lock(lease.connection(), name, failures.dialect().aloneLockWait(failures.patience()));
            LateSeal seal = new LateSeal(failures.dialect(), lease.connection(), isOpen);
            if (!failures.dialect().sharesLeanly()) {
                seal.set();
            }
            SharedTransaction<Connection> transaction = shared(lease, counter, seal, false);
            begun = true;
            return transaction;
        } catch (SQLException e) {
            WatchedConnection.ownWorkFailed(lease.lent(), e);
            throw failures.atBegin(name, e);
        } catch (RuntimeException | Error e) {
            WatchedConnection.ownWorkFailed(lease.lent(), e);
            throw e;
        } finally {
            if (!begun) {
                transactions.rollBack(lease);
            }
        }
    }

    /** Returns a transaction that a caller's thread has begun, and may commit. */
    public SharedTransaction<Connection> begunHere(Connections.Lease lease, CounterDraw.Locked counter) {
        return shared(lease, counter, new LateSeal(failures.dialect(), lease.connection(), isOpen), true);
    }

    private SharedTransaction<Connection> shared(
            Connections.Lease lease, CounterDraw.Locked counter, LateSeal seal, boolean here) {
        return failures.dialect().hasSavepoints()
                ? new SealedTransaction.WithSavepoints(this, lease, counter, seal, here)
                : new SealedTransaction(this, lease, counter, seal, here);
    }

    /** Returns whether the row can be read, even if another session has locked it. */
    public boolean answers(String name) {
        return transactions
                .reading(name, connection -> rows.read(connection, name))
                .isPresent();
    }
}
