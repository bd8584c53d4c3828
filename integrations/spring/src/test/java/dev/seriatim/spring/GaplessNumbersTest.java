// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Numbers drawn in Spring's transactions, of every kind and propagation, and the refusals elsewhere. */
class GaplessNumbersTest {

    private static final String NO_TRANSACTION =
            "sequence 'invoice_id': no transaction on this thread; draw in a method with @Transactional, called through its bean,"
                    + " or in a TransactionTemplate";

    private final Invoices invoices;

    GaplessNumbersTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
    }

    @AfterEach
    void close() {
        invoices.close();
    }

    @Test
    void a_commit_keeps_the_number_and_a_rollback_returns_it() {
        committedRolledBackCommitted(invoices.manager, invoices.numbers);
        invoices.areExactly(2);
    }

    @Test
    void a_block_is_drawn_in_the_same_way() {
        invoices.transaction().executeWithoutResult(status -> {
            assertThat(invoices.numbers.next(3)).isEqualTo(new Block(1, 3, 1));
            status.setRollbackOnly();
        });
        invoices.transaction().executeWithoutResult(status -> {
            assertThat(invoices.numbers.next(2)).isEqualTo(new Block(1, 2, 1));
            invoices.store(1);
            invoices.store(2);
        });
        invoices.areExactly(2);
    }

    @Test
    void jpa_transactions_hold_draws_before_and_after_their_flushes() {
        try (Jpa jpa = new Jpa(invoices.pool)) {
            TransactionTemplate transaction = new TransactionTemplate(jpa.manager);
            transaction.executeWithoutResult(status -> jpa.entities.persist(new Jpa.Invoice(invoices.numbers.next())));
            transaction.executeWithoutResult(status -> {
                jpa.entities.persist(new Jpa.Invoice(invoices.numbers.next()));
                jpa.entities.flush();
                assertThat(invoices.numbers.next()).isEqualTo(3);
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> {
                invoices.issue();
                jpa.entities.persist(new Jpa.Invoice(invoices.numbers.next()));
            });
            invoices.areExactly(3);
        }
    }

    @Test
    void a_jpa_manager_without_the_data_source_is_refused() {
        try (Jpa jpa = new Jpa(invoices.pool)) {
            jpa.manager.setDataSource(null);
            new TransactionTemplate(jpa.manager)
                    .executeWithoutResult(
                            status -> refused(
                                    () -> invoices.numbers.next(),
                                    "the transaction on this thread has no connection of this com.zaxxer.hikari.HikariDataSource"));
        }
        invoices.areExactly(0);
    }

    @Test
    void any_wrapping_of_the_pool_leads_to_the_transaction() {
        var aware = new TransactionAwareDataSourceProxy(invoices.pool);
        var lazy = new LazyConnectionDataSourceProxy(invoices.pool);
        var decorated = new DelegatingDataSource(invoices.pool);
        var twice = new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(invoices.pool));
        int issued = 0;
        for (var begins : new javax.sql.DataSource[] {invoices.pool, aware, lazy, decorated, twice}) {
            for (var draws : new javax.sql.DataSource[] {invoices.pool, aware, lazy, decorated, twice}) {
                JdbcTemplate jdbc = new JdbcTemplate(begins);
                TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(begins));
                GaplessNumbers numbers = invoices.numbersOf(draws);
                for (boolean commit : new boolean[] {true, false}) {
                    transaction.executeWithoutResult(status -> {
                        jdbc.update("INSERT INTO invoice (number) VALUES (?)", numbers.next());
                        if (!commit) {
                            status.setRollbackOnly();
                        }
                    });
                }
                invoices.areExactly(++issued);
            }
        }
        assertThat(invoices.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void a_pool_that_lends_connections_in_manual_commit_mode_works() throws SQLException {
        try (Invoices manual = new Invoices(Engine.POSTGRESQL, false)) {
            manual.transaction().executeWithoutResult(status -> manual.issue());
            manual.areExactly(1);
        }
    }

    @Test
    void nothing_is_drawn_without_a_transaction() {
        refused(() -> invoices.numbers.next(), NO_TRANSACTION);
        refused(() -> invoices.numbers.next(2), NO_TRANSACTION);
        invoices.transaction(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult(status -> {
            invoices.jdbc.queryForObject("SELECT 1", Integer.class); // leaves its connection on the thread
            refused(() -> invoices.numbers.next(), NO_TRANSACTION);
        });
        invoices.transaction()
                .executeWithoutResult(outer -> invoices.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                        .executeWithoutResult(status -> refused(() -> invoices.numbers.next(), NO_TRANSACTION)));
        invoices.areExactly(0);
        assertThat(invoices.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void another_thread_is_outside_the_transaction() {
        invoices.transaction().executeWithoutResult(status -> {
            Thread other = new Thread(() -> refused(() -> invoices.numbers.next(), NO_TRANSACTION));
            Throwable[] thrown = new Throwable[1];
            other.setUncaughtExceptionHandler((thread, failure) -> thrown[0] = failure);
            other.start();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertThat(thrown[0]).isNull();
        });
    }

    @Test
    void a_read_only_transaction_is_refused() {
        TransactionTemplate readOnly = invoices.transaction();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> refused(
                () -> invoices.numbers.next(),
                "sequence 'invoice_id': the transaction on this thread is read-only; draw in one that is not, such as @Transactional"
                        + " without readOnly"));
        readOnly.executeWithoutResult(status -> invoices.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                .executeWithoutResult(inner -> invoices.issue()));
        invoices.areExactly(1);
    }

    @Test
    void a_transaction_of_another_data_source_is_refused_even_when_a_connection_of_ours_was_used_in_it()
            throws SQLException {
        // With manual commit the control below would draw, and the pool would take the number back.
        try (Invoices manual = new Invoices(Engine.POSTGRESQL, false);
                Invoices other = new Invoices(Engine.POSTGRESQL)) {
            String message =
                    "sequence 'invoice_id': the transaction on this thread has no connection of this com.zaxxer.hikari.HikariDataSource; draw with the DataSource of its transaction manager, a JdbcTransactionManager or a JpaTransactionManager";
            other.transaction().executeWithoutResult(status -> refused(() -> manual.numbers.next(), message));
            other.transaction().executeWithoutResult(status -> {
                manual.jdbc.queryForObject("SELECT 1", Integer.class);
                refused(() -> manual.numbers.next(), message);
            });
            manual.areExactly(0);
        }
    }

    @Test
    void a_nested_transaction_that_rolls_back_returns_its_numbers_alone() {
        TransactionTemplate nested = invoices.transaction(TransactionDefinition.PROPAGATION_NESTED);
        invoices.transaction().executeWithoutResult(status -> {
            assertThat(invoices.issue()).isEqualTo(1);
            nested.executeWithoutResult(inner -> {
                assertThat(invoices.issue()).isEqualTo(2);
                inner.setRollbackOnly();
            });
            assertThat(invoices.issue()).isEqualTo(2);
            Object savepoint = status.createSavepoint();
            assertThat(invoices.issue()).isEqualTo(3);
            status.rollbackToSavepoint(savepoint);
            assertThat(invoices.issue()).isEqualTo(3);
            nested.executeWithoutResult(inner -> invoices.issue());
        });
        invoices.areExactly(4);
    }

    @Test
    void a_suspended_transaction_keeps_its_draws_apart_from_those_of_the_new_one() {
        GaplessNumbers receipts = GaplessNumbers.of(invoices.sequences.gapless("receipt_id"), invoices.pool);
        TransactionTemplate inner = invoices.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        invoices.transaction().executeWithoutResult(status -> {
            invoices.issue();
            assertThat(inner.<Long>execute(s -> receipts.next())).isEqualTo(1);
            inner.executeWithoutResult(s -> {
                receipts.next();
                s.setRollbackOnly();
            });
            invoices.issue();
            status.setRollbackOnly();
        });
        invoices.areExactly(0);
        assertThat(invoices.sequences.store().describe("receipt_id").nextValue())
                .isEqualTo(2);
    }

    @Test
    void rollback_only_takes_the_numbers_of_all_who_took_part_back() {
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> {
                    invoices.issue();
                    invoices.transaction().executeWithoutResult(inner -> {
                        invoices.issue();
                        inner.setRollbackOnly();
                    });
                    invoices.issue();
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        invoices.areExactly(0);
    }

    @Test
    void a_draw_after_the_timeout_fails_and_nothing_is_committed() {
        TransactionTemplate hurried = invoices.transaction();
        hurried.setTimeout(1);
        assertThatThrownBy(() -> hurried.executeWithoutResult(status -> {
                    invoices.store(invoices.numbers.next());
                    try {
                        Thread.sleep(1_100);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    invoices.numbers.next();
                }))
                .isInstanceOf(TransactionTimedOutException.class);
        invoices.areExactly(0);
    }

    @Test
    void a_manager_without_synchronization_works() {
        invoices.manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        committedRolledBackCommitted(invoices.manager, invoices.numbers);
        invoices.areExactly(2);
    }

    @Test
    void closed_sequences_say_so() {
        invoices.sequences.close();
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> invoices.numbers.next()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void two_managers_of_the_same_pool_are_the_same() {
        committedRolledBackCommitted(new JdbcTransactionManager(invoices.pool), invoices.numbers);
        committedRolledBackCommitted(new DataSourceTransactionManager(invoices.pool), invoices.numbers);
        invoices.areExactly(4);
    }

    private void committedRolledBackCommitted(PlatformTransactionManager manager, GaplessNumbers numbers) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.executeWithoutResult(status -> invoices.store(numbers.next()));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    invoices.store(numbers.next());
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        transaction.executeWithoutResult(status -> invoices.store(numbers.next()));
    }

    private static void refused(ThrowingCallable draw, String message) {
        assertThatThrownBy(draw).isInstanceOf(Misconfigured.class).hasMessageContaining(message);
    }
}
