// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.spring.GaplessNumbers.Counter;
import dev.seriatim.spring.source.InnermostDataSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of a data source that Spring has bound to this thread.
 *
 * @param key the data source that it is bound to: the requested one, one that wraps it, or one that it wraps
 * @param holder holds its connection
 */
record CurrentTransaction(DataSource key, ConnectionHolder holder) {

    /**
     * Finds the transaction to draw in.
     *
     * @throws Misconfigured if there is none that holds a draw
     */
    static CurrentTransaction of(DataSource source, String sequence) {
        boolean inTransaction = TransactionSynchronizationManager.isActualTransactionActive();
        CurrentTransaction found = find(source);
        if (found == null || !found.isActive()) {
            String why = inTransaction ? """
                    the transaction on this thread has no connection of this %s; draw with the DataSource of its \
                    transaction manager, a JdbcTransactionManager or a JpaTransactionManager""" : """
                    no transaction on this thread; draw in a method with @Transactional, called through its bean, or \
                    in a TransactionTemplate""";
            throw new Misconfigured(sequence, why.formatted(source.getClass().getName()));
        }
        // A unit has unbound its connection before it calls its hooks.
        if (!(found.holder instanceof SharedConnectionHolder) && End.hasCome(found.holder)) {
            throw new Misconfigured(sequence, """
                    the transaction on this thread has ended, and this code runs after it; draw in a new one, such as \
                    @Transactional(propagation = Propagation.REQUIRES_NEW)""");
        }
        if (inTransaction && TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new Misconfigured(sequence, """
                    the transaction on this thread is read-only; draw in one that is not, such as @Transactional \
                    without readOnly""");
        }
        return found;
    }

    private static @Nullable CurrentTransaction find(DataSource source) {
        if (TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder) {
            return new CurrentTransaction(source, holder);
        }
        DataSource innermost = InnermostDataSource.of(source);
        for (Map.Entry<Object, Object> bound :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (bound.getKey() instanceof DataSource key
                    && bound.getValue() instanceof ConnectionHolder holder
                    && InnermostDataSource.of(key) == innermost) {
                return new CurrentTransaction(key, holder);
            }
        }
        return null;
    }

    /**
     * Returns whether a transaction manager has bound the connection. Otherwise it was only used beside the transaction
     * of another data source, which does not commit it.
     */
    private boolean isActive() {
        // Unlike a DataSourceTransactionManager, a JpaTransactionManager does not mark the transaction as active; but
        // it alone binds connections that are not marked as synchronized.
        return !holder.isSynchronizedWithTransaction() || new Transactions(key).isActive();
    }

    /**
     * Returns whether a suspended transaction holds the counter. Beside a transaction of another manager, the thread keeps
     * the connection of the one that is suspended, which can draw on.
     */
    boolean isHeldBySuspended(Counter counter) {
        Object holds = TransactionSynchronizationManager.getResource(counter);
        return holds != null && !(holds instanceof End end && end.holder == holder);
    }

    /** Records that this transaction has drawn from a counter, which it holds until it ends. */
    void holds(Counter counter) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionSynchronizationManager.hasResource(counter)
                && !(counter.innermost() instanceof AbstractRoutingDataSource)) { // which leads to several counters
            End end = registered(End.class);
            if (end == null) {
                end = new End(holder);
                TransactionSynchronizationManager.registerSynchronization(end);
            }
            end.held.add(counter);
        }
    }

    /** Returns what this class has registered in the thread's transaction. */
    static <S> @Nullable S registered(Class<S> type) {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElse(null);
    }

    /** Shows whether a transaction manager would join a transaction. */
    private static final class Transactions extends DataSourceTransactionManager {
        private static final long serialVersionUID = 1L;

        Transactions(DataSource source) {
            super(source);
        }

        boolean isActive() {
            return isExistingTransaction(doGetTransaction());
        }
    }

    /**
     * Detects whether a transaction has ended: while hooks run after its end, Spring leaves its connection bound.
     * Registered in each transaction that has drawn, and called before its other hooks. While the transaction is
     * suspended, the counters that it holds are bound to the thread.
     */
    private static final class End implements TransactionSynchronization, PriorityOrdered {

        private static final System.Logger LOG = System.getLogger("dev.seriatim.spring");
        private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        /** Fewer than from a transaction that a hook begins to the one that has called the hook. */
        private static final int FRAMES = 10;

        private final Set<Counter> held = new LinkedHashSet<>();

        /** What was held at each savepoint that is in use. */
        private final Map<Object, Set<Counter>> before = new WeakHashMap<>();

        private final ConnectionHolder holder;
        private boolean committed;

        private End(ConnectionHolder holder) {
            this.holder = holder;
        }

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
            End end = registered(End.class);
            if (end != null) {
                return end.committed;
            }
            // The first draw. A committed transaction and one that has just begun look the same, except for traces of
            // hooks.
            return hasJoinedTooLate(holder) || inAfterCommit(TransactionSynchronizationManager.getSynchronizations());
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
                    && STACK.walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("afterCommit")
                                    && frame.getDescriptor().equals("()V")
                                    && registered.stream().anyMatch(frame.getDeclaringClass()::isInstance)));
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void savepoint(Object savepoint) {
            before.put(savepoint, Set.copyOf(held));
        }

        @Override
        public void savepointRollback(Object savepoint) {
            // Some databases, such as PostgreSQL, release what was locked after the savepoint.
            held.retainAll(before.getOrDefault(savepoint, Set.of()));
        }

        @Override
        public void suspend() {
            if (!committed) {
                held.removeIf(TransactionSynchronizationManager::hasResource);
                held.forEach(counter -> TransactionSynchronizationManager.bindResource(counter, this));
            }
        }

        @Override
        public void resume() {
            held.forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
        }

        @Override
        public void afterCommit() {
            committed = true;
            if (!held.isEmpty()
                    && STACK.walk(frames -> frames.limit(FRAMES)
                            .anyMatch(frame -> frame.getDeclaringClass() == TransactionAspectSupport.class
                                    && frame.getMethodName().equals("completeTransactionAfterThrowing")))) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        """
                        sequences {0}: a transaction that has drawn was committed although its method threw an \
                        exception, and a number that it did not store is a gap; roll it back by \
                        @Transactional(rollbackFor = Exception.class)""",
                        held.stream().map(Counter::name).toList());
            }
        }
    }
}
