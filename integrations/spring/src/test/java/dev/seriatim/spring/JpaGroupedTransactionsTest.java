// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostCommitInsertEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.persister.entity.EntityPersister;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Entity managers that take part in units. */
class JpaGroupedTransactionsTest {

    private final Invoices invoices;
    private final Jpa jpa;
    private final GroupedTransactions grouped;

    JpaGroupedTransactionsTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
        jpa = new Jpa(invoices.pool);
        grouped = JpaGroupedTransactions.of(invoices.numbers, jpa.factory);
    }

    @AfterEach
    void close() {
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(invoices.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        jpa.close();
        invoices.close();
    }

    @Test
    void entities_are_stored_by_the_shared_transaction_and_undone_with_it() {
        for (int i = 0; i < 3; i++) {
            boolean undone = i == 1;
            grouped.executeWithoutResult(status -> {
                persist();
                assertThat(invoices.jdbc.queryForList("SELECT number FROM invoice", Long.class))
                        .doesNotContain(3L);
                persist();
                assertThat(jpa.entities
                                .createQuery("SELECT COUNT(i) FROM invoice i", Long.class)
                                .getSingleResult())
                        .isEqualTo(status.isRollbackOnly() ? 0 : jpaCount());
                assertThat(outside() % 2).isZero();
                if (undone) {
                    status.setRollbackOnly();
                }
            });
        }
        invoices.areExactly(4);
    }

    @Test
    void updates_by_query_run_in_the_shared_transaction() {
        grouped.executeWithoutResult(status -> {
            persist();
            jpa.entities.createQuery("DELETE FROM invoice i").executeUpdate();
            invoices.store(1);
        });
        invoices.areExactly(1);
    }

    @Test
    void transactional_code_of_the_jpa_manager_joins() {
        TransactionTemplate joining = new TransactionTemplate(jpa.manager);
        grouped.executeWithoutResult(status -> {
            joining.executeWithoutResult(inner -> {
                assertThat(inner.isNewTransaction()).isFalse();
                persist();
            });
            invoices.transaction().executeWithoutResult(inner -> {
                assertThat(inner.isNewTransaction()).isFalse();
                invoices.issue();
            });
            assertThat(outside()).isZero();
        });
        invoices.areExactly(2);
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    persist();
                    joining.executeWithoutResult(inner -> {
                        persist();
                        inner.setRollbackOnly();
                    });
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        jpa.manager.setDataSource(null);
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    persist();
                    joining.executeWithoutResult(inner -> inner.setRollbackOnly());
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("EntityManager's transaction");
        invoices.areExactly(2);
    }

    @Test
    void requires_new_works_beside_and_nested_is_refused() {
        TransactionTemplate beside = new TransactionTemplate(jpa.manager);
        beside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionTemplate nested = new TransactionTemplate(jpa.manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        grouped.executeWithoutResult(status -> {
            invoices.numbers.next();
            beside.executeWithoutResult(inner -> {
                assertThat(inner.isNewTransaction()).isTrue();
                jpa.entities.persist(new Jpa.Invoice(99));
            });
            persist();
            assertThatThrownBy(() -> nested.executeWithoutResult(inner -> {}))
                    .isInstanceOf(NestedTransactionNotSupportedException.class);
            status.setRollbackOnly();
        });
        assertThat(invoices.jdbc.queryForList("SELECT number FROM invoice", Long.class))
                .containsExactly(99L);
    }

    @Test
    void a_flush_that_fails_undoes_the_unit() {
        grouped.executeWithoutResult(status -> persist());
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    jpa.entities.persist(new Jpa.Invoice(1));
                }))
                .isInstanceOf(PersistenceException.class);
        grouped.executeWithoutResult(status -> persist());
        invoices.areExactly(2);
    }

    @Test
    void an_entity_manager_of_the_request_is_set_aside() {
        EntityManagerHolder request = new EntityManagerHolder(jpa.factory.createEntityManager());
        TransactionSynchronizationManager.bindResource(jpa.factory, request);
        grouped.executeWithoutResult(status -> {
            persist();
            assertThat(request.getEntityManager().getTransaction().isActive()).isFalse();
        });
        assertThatThrownBy(() -> invoices.numbers.grouped().executeWithoutResult(status -> persist()))
                .isInstanceOf(Misconfigured.class);
        assertThat(TransactionSynchronizationManager.unbindResource(jpa.factory))
                .isSameAs(request);
        request.getEntityManager().close();
        invoices.areExactly(1);
    }

    @Test
    void listeners_run_after_the_commit_and_only_then() {
        AtomicInteger received = new AtomicInteger();
        PostCommitInsertEventListener listener = new PostCommitInsertEventListener() {
            private static final long serialVersionUID = 1L;

            @Override
            public void onPostInsert(PostInsertEvent event) {
                received.addAndGet((int) outside());
            }

            @Override
            public void onPostInsertCommitFailed(PostInsertEvent event) {
                received.addAndGet(100);
            }

            @Override
            public boolean requiresPostCommitHandling(EntityPersister persister) {
                return true;
            }
        };
        jpa.factory
                .unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(EventListenerRegistry.class)
                .appendListeners(EventType.POST_COMMIT_INSERT, listener);
        grouped.executeWithoutResult(status -> persist());
        assertThat(received).hasValue(1);
        grouped.executeWithoutResult(status -> {
            persist();
            jpa.entities.flush();
            status.setRollbackOnly();
        });
        assertThat(received).hasValue(101);
    }

    @Test
    void units_of_many_threads_store_exactly_what_was_committed() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<Integer>> units = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            boolean undone = i % 4 == 0;
            units.add(() -> grouped.execute(status -> {
                persist();
                if (undone) {
                    status.setRollbackOnly();
                }
                return 1;
            }));
        }
        try {
            for (Future<Integer> one : threads.invokeAll(units, 60, TimeUnit.SECONDS)) {
                assertThat(one.get()).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
        invoices.areExactly(150);
    }

    @Test
    void another_provider_is_refused() {
        EntityManagerFactory other = (EntityManagerFactory) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {EntityManagerFactory.class}, (self, method, arguments) -> {
                    throw new PersistenceException("no such type");
                });
        assertThatThrownBy(() -> JpaGroupedTransactions.of(invoices.numbers, other))
                .isInstanceOf(Misconfigured.class)
                .hasMessage(
                        "sequence 'invoice_id': the EntityManagerFactory is not Hibernate's, so it cannot work on a shared connection;"
                                + " use Hibernate, or JDBC in grouped transactions");
    }

    private void persist() {
        jpa.entities.persist(new Jpa.Invoice(invoices.numbers.next()));
    }

    private long jpaCount() {
        Long count = invoices.jdbc.queryForObject("SELECT COUNT(*) FROM invoice", Long.class);
        return count == null ? -1 : count;
    }

    private long outside() {
        try {
            return invoices.database.number("SELECT COUNT(*) FROM invoice");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
