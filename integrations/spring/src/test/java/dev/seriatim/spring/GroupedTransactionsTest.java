// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Block;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's code inside units that share a transaction. */
class GroupedTransactionsTest {

    private final Invoices invoices;
    private final GroupedTransactions grouped;

    GroupedTransactionsTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
        grouped = invoices.numbers.grouped();
    }

    @AfterEach
    void close() {
        clean();
        invoices.close();
    }

    @Test
    void a_unit_commits_its_rows_and_numbers_and_one_that_throws_undoes_both() {
        assertThat(grouped.<Long>execute(status -> invoices.issue())).isEqualTo(1);
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    assertThat(invoices.issue()).isEqualTo(2);
                    throw new IllegalStateException("refused");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("refused");
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    throw new AssertionError("an error, too");
                }))
                .hasMessage("an error, too");
        assertThat(grouped.<Block>execute(status -> {
                    Block block = invoices.numbers.next(2);
                    invoices.store(block.first());
                    invoices.store(block.first() + 1);
                    return block;
                }))
                .isEqualTo(new Block(2, 2, 1));
        invoices.areExactly(3);
    }

    @Test
    void a_result_may_be_null() {
        assertThat(grouped.<Long>execute(status -> null)).isNull();
    }

    @Test
    void set_rollback_only_undoes_the_unit_and_returns_its_result() {
        assertThat(grouped.<Long>execute(status -> {
                    long number = invoices.issue();
                    status.setRollbackOnly();
                    assertThat(status.isRollbackOnly()).isTrue();
                    return number;
                }))
                .isEqualTo(1);
        invoices.areExactly(0);
    }

    @Test
    void transactional_code_joins_the_unit() {
        grouped.executeWithoutResult(status -> {
            assertThat(status.isNewTransaction()).isTrue();
            invoices.transaction().executeWithoutResult(inner -> {
                assertThat(inner.isNewTransaction()).isFalse();
                invoices.issue();
            });
            invoices.transaction(TransactionDefinition.PROPAGATION_MANDATORY)
                    .executeWithoutResult(inner -> invoices.issue());
            new JdbcTemplate(new TransactionAwareDataSourceProxy(invoices.pool))
                    .update("INSERT INTO invoice (number) VALUES (?)", invoices.numbers.next());
            assertThat(outside()).isZero();
        });
        invoices.areExactly(3);
    }

    @Test
    void transactional_code_that_rolls_back_undoes_the_unit_that_goes_on() {
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(inner -> {
                                invoices.issue();
                                throw new IllegalStateException("caught by the unit");
                            }))
                            .hasMessage("caught by the unit");
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessage("this unit of work was undone because code in it marked it as rollback-only; let that"
                        + " code's exception propagate, or run the code in a NESTED transaction");
        invoices.areExactly(0);
    }

    @Test
    void nested_transactions_undo_their_draws_alone() {
        TransactionTemplate nested = invoices.transaction(TransactionDefinition.PROPAGATION_NESTED);
        grouped.executeWithoutResult(status -> {
            assertThat(invoices.issue()).isEqualTo(1);
            nested.executeWithoutResult(inner -> {
                assertThat(invoices.issue()).isEqualTo(2);
                inner.setRollbackOnly();
            });
            assertThatThrownBy(() -> nested.executeWithoutResult(inner -> invoices.store(1)))
                    .isInstanceOf(DuplicateKeyException.class);
            assertThat(invoices.issue()).isEqualTo(2);
            Object savepoint = status.createSavepoint();
            invoices.issue();
            status.rollbackToSavepoint(savepoint);
            nested.executeWithoutResult(inner -> assertThat(invoices.issue()).isEqualTo(3));
        });
        invoices.areExactly(3);
    }

    @Test
    void requires_new_works_beside_the_unit_and_not_supported_outside_it() {
        invoices.jdbc.execute("CREATE TABLE note (text VARCHAR(20))");
        TransactionTemplate beside = invoices.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionTemplate outside = invoices.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        grouped.executeWithoutResult(status -> {
            invoices.issue();
            beside.executeWithoutResult(inner -> invoices.jdbc.update("INSERT INTO note VALUES ('beside')"));
            outside.executeWithoutResult(inner -> assertThat(outside()).isZero());
            invoices.issue();
            status.setRollbackOnly();
        });
        assertThat(invoices.jdbc.queryForObject("SELECT COUNT(*) FROM note", Long.class))
                .isEqualTo(1);
        invoices.areExactly(0);
    }

    @Test
    @Timeout(20)
    void a_draw_in_a_second_transaction_inside_the_unit_is_refused_at_once() {
        String message = "sequence 'invoice_id': a suspended transaction of this thread holds the counter, so this"
                + " one cannot get it; draw in that one, outside the REQUIRES_NEW code";
        TransactionTemplate beside = invoices.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        TransactionTemplate outside = invoices.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        GaplessNumbers receipts = GaplessNumbers.of(invoices.sequences.gapless("receipt_id"), invoices.pool);
        try (JdbcSequences others = JdbcSequences.open(invoices.pool)) {
            List<GaplessNumbers> all = List.of(
                    invoices.numbers,
                    invoices.numbersOf(invoices.pool),
                    invoices.numbersOf(new LazyConnectionDataSourceProxy(invoices.pool)),
                    GaplessNumbers.of(others.gapless("invoice_id"), invoices.pool));
            grouped.executeWithoutResult(status -> {
                for (GaplessNumbers each : all) {
                    beside.executeWithoutResult(inner -> refused(each::next, message));
                    beside.executeWithoutResult(inner -> refused(() -> each.next(2), message));
                    outside.executeWithoutResult(scope -> {
                        assertThatThrownBy(() -> each.grouped().execute(inner -> 1))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("so a unit of work cannot get it");
                        receipts.grouped().executeWithoutResult(inner -> refused(each::next, message));
                    });
                }
                invoices.issue();
            });
        }
        invoices.transaction().executeWithoutResult(status -> invoices.issue());
        invoices.areExactly(2);
    }

    @Test
    void other_sequences_are_drawn_on_the_shared_connection() {
        GaplessNumbers receipts = GaplessNumbers.of(invoices.sequences.gapless("receipt_id"), invoices.pool);
        grouped.executeWithoutResult(status -> {
            invoices.issue();
            assertThat(receipts.next()).isEqualTo(1);
        });
        grouped.executeWithoutResult(status -> {
            assertThat(receipts.next()).isEqualTo(2);
            status.setRollbackOnly();
        });
        assertThat(invoices.sequences.store().describe("receipt_id").nextValue())
                .isEqualTo(2);
        invoices.areExactly(1);
    }

    @Test
    void a_second_object_for_the_same_sequence_is_refused_in_the_unit() {
        GaplessNumbers second = invoices.numbersOf(invoices.pool);
        grouped.executeWithoutResult(status -> refused(
                second::next,
                "sequence 'invoice_id': this unit of work deals its numbers through another GaplessNumbers; use the one whose grouped() it"
                        + " runs in"));
    }

    @Test
    void an_open_transaction_is_refused() {
        String message =
                "sequence 'invoice_id': a unit of work shares a transaction of its own and cannot run inside the one that is open on this"
                        + " thread; call it outside @Transactional code, or draw with GaplessNumbers.next in there";
        invoices.transaction().executeWithoutResult(status -> refused(() -> grouped.execute(s -> 1), message));
        grouped.executeWithoutResult(status -> refused(() -> grouped.execute(s -> 1), message));
        invoices.manager.setTransactionSynchronization(
                org.springframework.transaction.support.AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        invoices.transaction().executeWithoutResult(status -> refused(() -> grouped.execute(s -> 1), message));
    }

    @Test
    void a_scope_without_a_transaction_is_left_and_entered_again() {
        List<String> received = new ArrayList<>();
        invoices.transaction().executeWithoutResult(outer -> {
            invoices.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(status -> {
                        TransactionSynchronizationManager.registerSynchronization(recording(received, "outer"));
                        assertThat(outside()).isZero(); // on a connection that this scope keeps
                        grouped.executeWithoutResult(unit -> invoices.issue());
                        assertThat(received).isEmpty();
                        assertThat(outside()).isEqualTo(1);
                    });
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
        });
        assertThat(received)
                .containsExactly("outer beforeCommit", "outer beforeCompletion", "outer afterCommit", "outer 0");
        invoices.areExactly(1);
    }

    @Test
    void synchronizations_run_after_the_commit() {
        List<String> received = new ArrayList<>();
        grouped.executeWithoutResult(status -> {
            invoices.issue();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    received.add("before " + outside());
                    invoices.issue(); // still takes part
                }

                @Override
                public void afterCommit() {
                    received.add("after " + outside());
                    assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                            .isFalse();
                    assertThat(TransactionSynchronizationManager.hasResource(invoices.pool))
                            .isFalse();
                }

                @Override
                public void afterCompletion(int completion) {
                    received.add("completed " + completion);
                }
            });
        });
        assertThat(received)
                .containsExactly("before 0", "after 2", "completed " + TransactionSynchronization.STATUS_COMMITTED);
        invoices.areExactly(2);
    }

    @Test
    void synchronizations_run_after_a_rollback() {
        List<String> received = new ArrayList<>();
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(recording(received, "unit"));
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(received).containsExactly("unit beforeCompletion", "unit 1");
        received.clear();
        grouped.executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(recording(received, "unit"));
            status.setRollbackOnly();
        });
        assertThat(received).containsExactly("unit beforeCompletion", "unit 1");
    }

    @Test
    void a_failing_before_commit_undoes_the_unit_and_a_failing_after_commit_does_not() {
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void beforeCommit(boolean readOnly) {
                            throw new IllegalStateException("before");
                        }
                    });
                }))
                .hasMessage("before");
        invoices.areExactly(0);
        List<String> received = new ArrayList<>();
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("after");
                        }

                        @Override
                        public void afterCompletion(int completion) {
                            received.add("completed " + completion);
                        }
                    });
                }))
                .hasMessage("after");
        assertThat(received).containsExactly("completed 0");
        invoices.areExactly(1);
    }

    @Test
    void an_unknown_outcome_is_reported_as_such() {
        List<String> received = new ArrayList<>();
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> {
                    invoices.issue();
                    TransactionSynchronizationManager.registerSynchronization(recording(received, "unit"));
                    invoices.jdbc.execute("COMMIT"); // ends the shared transaction
                }))
                .isInstanceOf(SequenceException.CommitOutcomeUnknown.class);
        assertThat(received).contains("unit " + TransactionSynchronization.STATUS_UNKNOWN);
    }

    @Test
    void a_run_that_does_not_count_is_rolled_back_and_leaves_nothing_to_the_next() {
        List<String> received = new ArrayList<>();
        AtomicInteger runs = new AtomicInteger();
        grouped.executeWithoutResult(status -> {
            int run = runs.incrementAndGet();
            invoices.issue();
            TransactionSynchronizationManager.registerSynchronization(recording(received, "run " + run));
            if (run == 1) {
                // A conflict with another session leads to this.
                invoices.jdbc.execute("DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$");
            }
            assertThat(status.isRollbackOnly()).isFalse();
        });
        assertThat(runs).hasValue(2);
        assertThat(received)
                .containsExactly(
                        "run 1 beforeCompletion",
                        "run 1 1",
                        "run 2 beforeCommit",
                        "run 2 beforeCompletion",
                        "run 2 afterCommit",
                        "run 2 0");
        invoices.areExactly(1);
    }

    @Test
    void units_of_many_threads_share_transactions_and_undo_themselves_alone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        AtomicInteger committed = new AtomicInteger();
        try {
            CountDownLatch start = new CountDownLatch(8);
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int own = thread;
                all.add(threads.submit(() -> {
                    start.countDown();
                    start.await();
                    for (int i = 0; i < 40; i++) {
                        boolean undone = (i + own) % 3 == 0;
                        grouped.executeWithoutResult(status -> {
                            invoices.issue();
                            invoices.transaction(TransactionDefinition.PROPAGATION_NESTED)
                                    .executeWithoutResult(nested -> {
                                        invoices.issue();
                                        nested.setRollbackOnly();
                                    });
                            if (undone) {
                                status.setRollbackOnly();
                            }
                        });
                        if (!undone) {
                            committed.incrementAndGet();
                        }
                        clean();
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        invoices.areExactly(committed.get());
        assertThat(invoices.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void entity_managers_that_do_not_take_part_are_refused() {
        try (Jpa jpa = new Jpa(invoices.pool)) {
            assertThatThrownBy(() -> grouped.executeWithoutResult(
                            status -> jpa.entities.persist(new Jpa.Invoice(invoices.numbers.next()))))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessage(
                            "sequence 'invoice_id': an EntityManager was used in a unit of work that it does not take part in; get the"
                                    + " grouped transactions from JpaGroupedTransactions.of, with its EntityManagerFactory");
            assertThatThrownBy(() -> grouped.executeWithoutResult(
                            status -> new TransactionTemplate(jpa.manager).executeWithoutResult(inner -> {})))
                    .isInstanceOf(IllegalTransactionStateException.class)
                    .hasMessageContaining("Pre-bound JDBC Connection found");
        }
        invoices.areExactly(0);
    }

    private long outside() {
        try {
            return invoices.database.number("SELECT COUNT(*) FROM invoice");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static TransactionSynchronization recording(List<String> received, String name) {
        return new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                received.add(name + " beforeCommit");
            }

            @Override
            public void beforeCompletion() {
                received.add(name + " beforeCompletion");
            }

            @Override
            public void afterCommit() {
                received.add(name + " afterCommit");
            }

            @Override
            public void afterCompletion(int status) {
                received.add(name + " " + status);
            }
        };
    }

    /** Checks that nothing is left on this thread. */
    private static void clean() {
        assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isFalse();
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(Misconfigured.class).hasMessage(message);
    }
}
