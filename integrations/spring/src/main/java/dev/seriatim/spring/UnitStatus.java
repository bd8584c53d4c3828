// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractTransactionStatus;

/** What a unit sees of its transaction, and can ask of it. */
final class UnitStatus extends AbstractTransactionStatus {

    private final SharedConnectionHolder holder;
    private final Savepoints savepoints = new Savepoints();

    UnitStatus(SharedConnectionHolder holder) {
        this.holder = holder;
        savepoints.setConnectionHolder(holder);
        savepoints.setSavepointAllowed(true);
    }

    /** Undoes a unit that has not thrown, but was marked as rollback-only. */
    void checkNotUndone(@Nullable Object result) {
        if (isLocalRollbackOnly()) {
            throw new GroupedTransactions.Undone(result);
        }
        if (isGlobalRollbackOnly()) {
            throw new UnexpectedRollbackException(
                    "this unit of work was undone because code that took part in it has marked it as rollback-only; let the exception"
                            + " of that code out of the unit, or give the code a nested transaction");
        }
    }

    @Override
    public boolean isNewTransaction() {
        return true;
    }

    @Override
    public boolean isGlobalRollbackOnly() {
        return holder.isRollbackOnly();
    }

    @Override
    protected SavepointManager getSavepointManager() {
        return savepoints;
    }

    private static final class Savepoints extends JdbcTransactionObjectSupport {
        @Override
        public boolean isRollbackOnly() {
            return getConnectionHolder().isRollbackOnly();
        }
    }
}
