// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.util.ClassUtils;

/**
 * Runs units of work in a transaction that many callers share (GROUPED mode), with Spring's usual code inside:
 *
 * <pre>{@code
 * long number = invoiceNumbers.grouped().execute(status -> {
 *     long next = invoiceNumbers.next();
 *     jdbc.update("INSERT INTO invoice (number) VALUES (?)", next);
 *     return next;
 * });
 * }</pre>
 *
 * <p>Inside a unit, the shared connection is bound to the thread: {@code JdbcTemplate}, Spring Data JDBC and whatever
 * else takes connections by {@code DataSourceUtils} use it. {@code @Transactional} code of a {@code
 * JdbcTransactionManager} or a
 * {@code DataSourceTransactionManager} takes part: {@code REQUIRED} joins the unit, {@code NESTED} sets a savepoint,
 * whose rollback undoes draws as well, and {@code REQUIRES_NEW} works in a transaction of its own on a second
 * connection. An
 * {@code EntityManager} is refused, unless the units are those of {@link JpaGroupedTransactions}.
 *
 * <p><b>A unit must be repeatable</b>: if the shared transaction is lost to a conflict or to another caller's unit, it
 * runs again. Only the last run counts, and the result is returned once that is committed.
 *
 * <p>A unit that throws, or that calls {@code setRollbackOnly}, is undone alone; the transaction's other units are not
 * affected.
 *
 * <p><b>Synchronizations</b>, such as those of {@code @TransactionalEventListener}: {@code beforeCommit} and
 * {@code beforeCompletion} are called at the end of each run, {@code afterCommit} and {@code afterCompletion} once the
 * shared transaction has ended, on the caller's thread and outside any transaction. For those of a run that did not
 * count, the status is rolled back.
 *
 * <p>Thread-safe.
 */
public final class GroupedTransactions implements TransactionOperations {

    private static final Scopes SCOPES = new Scopes();

    private final GaplessNumbers numbers;
    private final GroupedSequence<Connection> sequence;
    private final DataSource source;

    /** Called at the beginning of each unit, by the key under which they bind what takes part. */
    private final Map<Object, Consumer<Connection>> joining;

    GroupedTransactions(
            GaplessNumbers numbers,
            GroupedSequence<Connection> sequence,
            DataSource source,
            Map<Object, Consumer<Connection>> joining) {
        this.numbers = numbers;
        this.sequence = sequence;
        this.source = source;
        this.joining = joining;
    }

    /**
     * Runs a unit and returns after it is committed.
     *
     * @return the result of the unit's last run
     * @throws SequenceException.Misconfigured if a transaction is open on this thread
     * @throws SequenceException as {@link GroupedSequence#commit}
     * @throws org.springframework.transaction.UnexpectedRollbackException if code that took part in the unit has marked
     *     it as rollback-only, and the unit returned normally
     * @throws IllegalStateException if the sequences are closed, or if called inside a unit of the same sequence
     */
    @Override
    // Spring's interface leaves open whether results may be null.
    @SuppressWarnings("NullAway")
    public <T> @Nullable T execute(TransactionCallback<T> unit) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw openTransaction();
        }
        if (TransactionSynchronizationManager.hasResource(numbers.counter())) {
            throw new IllegalStateException("""
                    sequence '%s': a suspended transaction of this thread holds the counter, so a unit of work cannot \
                    get it; draw in that transaction""".formatted(sequence.name()));
        }
        Object suspended = SCOPES.leave();
        try {
            if (TransactionSynchronizationManager.hasResource(source)) {
                throw openTransaction();
            }
            return new Execution<>(unit).run();
        } finally {
            SCOPES.enterAgain(suspended);
        }
    }

    private SequenceException openTransaction() {
        return new SequenceException.Misconfigured(sequence.name(), """
                a unit of work shares a transaction of its own and cannot run inside the one that is open on this \
                thread; call it outside @Transactional code, or draw with GaplessNumbers.next in there""");
    }

    @Override
    public String toString() {
        return "grouped transactions of '" + sequence.name() + "'";
    }

    /** A call of {@link #execute}: one run of the unit, or several. */
    private final class Execution<T> {

        private final TransactionCallback<T> unit;
        private List<TransactionSynchronization> registered = List.of();
        private @Nullable Throwable thrown;
        private @Nullable T undone;

        Execution(TransactionCallback<T> unit) {
            this.unit = unit;
        }

        @Nullable
        T run() {
            T result;
            try {
                result = sequence.<T, RuntimeException>commit(this::once);
            } catch (Undone own) {
                completed(TransactionSynchronization.STATUS_ROLLED_BACK);
                if (own != thrown) {
                    throw own;
                }
                return undone;
            } catch (Throwable failure) {
                boolean unknown = failure instanceof SequenceException.CommitOutcomeUnknown && failure != thrown;
                completed(
                        unknown
                                ? TransactionSynchronization.STATUS_UNKNOWN
                                : TransactionSynchronization.STATUS_ROLLED_BACK);
                throw failure;
            }
            try {
                TransactionSynchronizationUtils.invokeAfterCommit(registered);
            } finally {
                completed(TransactionSynchronization.STATUS_COMMITTED);
            }
            return result;
        }

        private T once(Turn<Connection> turn) {
            completed(TransactionSynchronization.STATUS_ROLLED_BACK); // an earlier run, if there was one
            thrown = null;
            SharedConnectionHolder holder = new SharedConnectionHolder(numbers, turn);
            EntityManagers others = new EntityManagers();
            TransactionSynchronizationManager.bindResource(source, holder);
            TransactionSynchronizationManager.bindResource(numbers.counter(), holder);
            try {
                TransactionSynchronizationManager.initSynchronization();
                TransactionSynchronizationManager.setActualTransactionActive(true);
                return inScope(holder, others);
            } catch (Throwable failure) {
                thrown = failure;
                throw failure;
            } finally {
                if (TransactionSynchronizationManager.isSynchronizationActive()) {
                    registered = TransactionSynchronizationManager.getSynchronizations();
                }
                TransactionSynchronizationManager.clear();
                TransactionSynchronizationManager.unbindResourceIfPossible(source);
                TransactionSynchronizationManager.unbindResourceIfPossible(numbers.counter());
                others.restore();
            }
        }

        private T inScope(SharedConnectionHolder holder, EntityManagers others) {
            Savepoints savepoints = new Savepoints();
            savepoints.setConnectionHolder(holder);
            savepoints.setSavepointAllowed(true);
            DefaultTransactionStatus status =
                    new DefaultTransactionStatus("", savepoints, true, true, false, false, false, null);
            try {
                Connection connection = holder.turn().transaction();
                joining.values().forEach(resource -> resource.accept(connection));
                T result = unit.doInTransaction(status);
                checkNotUndone(status, result);
                TransactionSynchronizationUtils.triggerBeforeCommit(false);
                others.checkUnused(sequence.name(), joining.keySet());
                checkNotUndone(status, result);
                return result;
            } finally {
                status.setCompleted();
                TransactionSynchronizationUtils.triggerBeforeCompletion();
            }
        }

        /** Undoes a unit that has not thrown, but was marked as rollback-only. */
        private void checkNotUndone(DefaultTransactionStatus status, T result) {
            if (status.isLocalRollbackOnly()) {
                undone = result;
                throw new Undone();
            }
            if (status.isGlobalRollbackOnly()) {
                throw new UnexpectedRollbackException("""
                        this unit of work was undone because code in it marked it as rollback-only; let that code's \
                        exception propagate, or run the code in a NESTED transaction""");
            }
        }

        private void completed(int status) {
            List<TransactionSynchronization> ended = registered;
            registered = List.of();
            TransactionSynchronizationUtils.invokeAfterCompletion(ended, status);
        }
    }

    /** Undoes a unit that has called setRollbackOnly; its caller receives the result. */
    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undone() {
            super("this unit of work has called setRollbackOnly", null, false, false);
        }
    }

    private static final class Savepoints extends JdbcTransactionObjectSupport {
        @Override
        public boolean isRollbackOnly() {
            return getConnectionHolder().isRollbackOnly();
        }
    }

    /**
     * Keeps entity managers out of a unit that do not take part in it: their writes would be in no transaction, and
     * lost.
     */
    private static final class EntityManagers {

        private static final boolean PRESENT =
                ClassUtils.isPresent("jakarta.persistence.EntityManagerFactory", EntityManagers.class.getClassLoader());

        private final Map<Object, Object> boundBefore = bound();

        /** Unbinds those that are open on this thread, such as the one of a web request. */
        EntityManagers() {
            boundBefore.keySet().forEach(TransactionSynchronizationManager::unbindResource);
        }

        /** Throws if the unit has used one of another factory than these. */
        void checkUnused(String sequence, Collection<?> joined) {
            if (!joined.containsAll(bound().keySet())) {
                throw new SequenceException.Misconfigured(sequence, """
                        an EntityManager was used in a unit of work that it does not take part in; get the grouped \
                        transactions from JpaGroupedTransactions.of, with its EntityManagerFactory""");
            }
        }

        /** Binds the thread's own again. */
        void restore() {
            boundBefore.forEach((factory, holder) -> {
                TransactionSynchronizationManager.unbindResourceIfPossible(factory);
                TransactionSynchronizationManager.bindResource(factory, holder);
            });
        }

        private static Map<Object, Object> bound() {
            Map<Object, Object> bound = new HashMap<>(TransactionSynchronizationManager.getResourceMap());
            bound.keySet().removeIf(key -> !PRESENT || !(key instanceof EntityManagerFactory));
            return bound;
        }
    }

    /** Leaves a scope that has synchronizations, but no transaction, such as that of NOT_SUPPORTED. */
    private static final class Scopes extends DataSourceTransactionManager {
        private static final long serialVersionUID = 1L;

        @Nullable
        Object leave() {
            return suspend(null);
        }

        void enterAgain(@Nullable Object left) {
            resume(null, (SuspendedResourcesHolder) left);
        }
    }
}
