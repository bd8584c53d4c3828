// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Detects whether a transaction has ended. While hooks run after its end, Spring leaves its connection bound.
 * Registered in each transaction that has drawn, and called before its other hooks.
 */
final class EndOfTransaction implements TransactionSynchronization, PriorityOrdered {

    private boolean committed;

    private EndOfTransaction() {}

    /**
     * Returns whether this thread's transaction has ended, so that this runs in a hook.
     *
     * @param holder holds the transaction's connection
     */
    static boolean hasCome(ConnectionHolder holder) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // Spring clears the synchronizations before afterCompletion, and this mark after it. A manager without
            // synchronization calls no hooks and sets no mark.
            return TransactionSynchronizationManager.isActualTransactionActive();
        }
        List<TransactionSynchronization> registered = TransactionSynchronizationManager.getSynchronizations();
        for (TransactionSynchronization each : registered) {
            if (each instanceof EndOfTransaction end) {
                return end.committed;
            }
        }
        // The first draw. A committed transaction and one that has just begun look the same, except for traces of
        // hooks.
        if (hasJoinedTooLate(holder) || inAfterCommit(registered)) {
            return true;
        }
        TransactionSynchronizationManager.registerSynchronization(new EndOfTransaction());
        return false;
    }

    /**
     * In afterCompletion, a method with @Transactional joins the transaction, but finds no synchronizations. It may
     * have begun another one since, without such a method.
     */
    private static boolean hasJoinedTooLate(ConnectionHolder holder) {
        try {
            return TransactionAspectSupport.currentTransactionStatus() instanceof DefaultTransactionStatus status
                    && status.hasTransaction()
                    && !status.isNewTransaction()
                    && status.isNewSynchronization()
                    && status.getTransaction() instanceof JdbcTransactionObjectSupport joined
                    && joined.hasConnectionHolder()
                    && joined.getConnectionHolder() == holder;
        } catch (NoTransactionException none) {
            return false;
        }
    }

    /** A hook that has begun another transaction is on the stack too, but in that one, other hooks are registered. */
    private static boolean inAfterCommit(List<TransactionSynchronization> registered) {
        return !registered.isEmpty()
                && StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames ->
                                frames.anyMatch(frame -> frame.getMethodName().equals("afterCommit")
                                        && frame.getDescriptor().equals("()V")
                                        && registered.stream().anyMatch(frame.getDeclaringClass()::isInstance)));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        committed = true;
    }
}
