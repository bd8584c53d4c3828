// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import dev.seriatim.SequenceException;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Grouped transactions in which the entity managers of Hibernate take part: each unit has a persistence context of its
 * own on the shared connection. {@code @PersistenceContext}, repositories of Spring Data JPA, and {@code
 * @Transactional} code of a
 * {@code JpaTransactionManager} use it. It is flushed when the unit ends; entities are detached after that.
 *
 * <p>Thread-safe.
 */
public final class JpaGroupedTransactions {

    private JpaGroupedTransactions() {}

    /**
     * Returns the grouped transactions of these numbers, with the factory's entity managers.
     *
     * @param factory Hibernate's, as the {@code JpaTransactionManager} has it
     * @throws SequenceException.Misconfigured if the factory is not Hibernate's
     * @throws SequenceException as {@link GaplessNumbers#grouped()}
     */
    public static GroupedTransactions of(GaplessNumbers numbers, EntityManagerFactory factory) {
        SessionFactory sessions;
        try {
            sessions = factory.unwrap(SessionFactory.class);
        } catch (RuntimeException other) {
            throw new SequenceException.Misconfigured(numbers.name(), """
                    the EntityManagerFactory is not Hibernate's, so it cannot work on a shared connection; use \
                    Hibernate, or JDBC in grouped transactions""", other);
        }
        return numbers.grouped(Map.of(factory, connection -> join(factory, sessions, connection)));
    }

    private static void join(EntityManagerFactory factory, SessionFactory sessions, Connection connection) {
        Session session =
                sessions.withOptions().connection(withoutEnd(connection)).openSession();
        UnitSession unit = new UnitSession(factory, session, session.beginTransaction());
        TransactionSynchronizationManager.registerSynchronization(unit);
        TransactionSynchronizationManager.bindResource(factory, new Joined(session));
    }

    /** Returns the connection for a session that commits when the group has committed. */
    private static Connection withoutEnd(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                JpaGroupedTransactions.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "getAutoCommit" -> false;
                    case "commit", "close", "setAutoCommit" -> null;
                    case "rollback" -> arguments == null ? null : passed(method, connection, arguments);
                    default -> passed(method, connection, arguments);
                });
    }

    private static @Nullable Object passed(Method method, Connection connection, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** To a JpaTransactionManager, an existing transaction. */
    private static final class Joined extends EntityManagerHolder {
        Joined(Session session) {
            super(session);
            setTransactionActive(true);
            setSynchronizedWithTransaction(true);
        }
    }

    /** The session of one run of a unit, which ends when the shared transaction has. */
    private record UnitSession(EntityManagerFactory factory, Session session, Transaction transaction)
            implements TransactionSynchronization {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE; // flushes the writes of other synchronizations, too
        }

        @Override
        public void flush() {
            session.flush();
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            if (transaction.getRollbackOnly()) {
                throw new UnexpectedRollbackException("""
                        this unit of work was undone because code in it marked its EntityManager's transaction as \
                        rollback-only; let that code's exception propagate""");
            }
            session.flush();
        }

        @Override
        public void beforeCompletion() {
            TransactionSynchronizationManager.unbindResourceIfPossible(factory);
        }

        @Override
        public void afterCompletion(int status) {
            try (session) {
                if (status == STATUS_COMMITTED) {
                    session.setHibernateFlushMode(FlushMode.MANUAL); // it was flushed while the connection was there
                    transaction.commit();
                } else {
                    transaction.rollback();
                }
            }
        }
    }
}
