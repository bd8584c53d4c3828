// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GaplessSequence;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that roll back at random, with nested ones and savepoints in them: the table is 1 … counter. */
@Tag("long")
class ManyRollbacksTest {

    private static final int TRANSACTIONS = 1_000;
    private static final int THREADS = 4;

    @Test
    void on_postgresql() throws Exception {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL)) {
            int committed = run(invoices, invoices.transaction(), invoices.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void on_mariadb() throws Exception {
        try (Invoices invoices = new Invoices(Engine.MARIADB)) {
            int committed = run(invoices, invoices.transaction(), invoices.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void on_sqlite() throws Exception {
        try (Invoices invoices = new Invoices(Engine.SQLITE)) {
            int committed = run(invoices, invoices.transaction(), invoices.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void in_jpa_transactions() throws Exception {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL);
                Jpa jpa = new Jpa(invoices.pool)) {
            int committed = run(invoices, new TransactionTemplate(jpa.manager), jpa.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void in_units_of_a_group() throws Exception {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL)) {
            int committed = run(invoices, invoices.numbers.grouped(), invoices.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void in_units_of_a_group_on_mariadb() throws Exception {
        try (Invoices invoices = new Invoices(Engine.MARIADB)) {
            int committed = run(invoices, invoices.numbers.grouped(), invoices.manager, invoices.numbers::next);
            invoices.areExactly(committed);
        }
    }

    @Test
    void numbers_drawn_on_another_connection_leave_gaps() throws Exception {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL)) {
            GaplessSequence<Connection> sequence = invoices.sequences.gapless("invoice_id");
            int committed = run(invoices, invoices.transaction(), invoices.manager, () -> onItsOwn(invoices, sequence));
            assertThatThrownBy(() -> invoices.areExactly(committed)).isInstanceOf(AssertionError.class);
        }
    }

    private static long onItsOwn(Invoices invoices, GaplessSequence<Connection> sequence) {
        try (Connection connection = invoices.pool.getConnection()) {
            connection.setAutoCommit(false);
            long number = sequence.next(connection);
            connection.commit();
            return number;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns how many rows were committed. */
    private static int run(
            Invoices invoices, TransactionOperations outer, PlatformTransactionManager manager, LongSupplier numbers)
            throws Exception {
        AtomicInteger committed = new AtomicInteger();
        AtomicInteger rolledBack = new AtomicInteger();
        AtSavepoint nested = manager == invoices.manager ? AtSavepoint.spring(invoices) : AtSavepoint.jdbc(invoices);
        TransactionTemplate joining = new TransactionTemplate(manager);
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            long seed = i;
            all.add(() -> {
                Random random = new Random(seed);
                boolean undone = random.nextBoolean();
                boolean throwing = random.nextBoolean();
                boolean savepoint = random.nextInt(4) == 0;
                int levels = random.nextInt(3);
                boolean[] undoes = {random.nextBoolean(), random.nextBoolean()};
                try {
                    rolledBack.addAndGet((undone ? 1 : 0) + (savepoint ? 1 : 0));
                    Integer rows = outer.execute(status -> {
                        int stored = 0;
                        for (int level = 0; level < levels; level++) {
                            boolean undo = undoes[level];
                            nested.run(undo, () -> invoices.store(numbers.getAsLong()));
                            stored += undo ? 0 : 1;
                            rolledBack.addAndGet(undo ? 1 : 0);
                        }
                        if (savepoint) {
                            AtSavepoint.jdbc(invoices).run(true, () -> invoices.store(numbers.getAsLong()));
                        }
                        joining.executeWithoutResult(inner -> invoices.store(numbers.getAsLong()));
                        if (undone && throwing) {
                            throw new Refused();
                        }
                        if (undone) {
                            status.setRollbackOnly();
                        }
                        return stored + 1;
                    });
                    if (!undone && rows != null) {
                        committed.addAndGet(rows);
                    }
                } catch (Refused expected) {
                    assertThat(undone).isTrue();
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Void> one : threads.invokeAll(all, 60, TimeUnit.SECONDS)) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(rolledBack).hasValueGreaterThanOrEqualTo(1_000);
        return committed.get();
    }

    /** Runs work behind a savepoint, and may roll back to it. */
    private interface AtSavepoint {
        void run(boolean undo, Runnable work);

        static AtSavepoint spring(Invoices invoices) {
            TransactionTemplate nested = invoices.transaction(TransactionDefinition.PROPAGATION_NESTED);
            return (undo, work) -> nested.executeWithoutResult(status -> {
                work.run();
                if (undo) {
                    status.setRollbackOnly();
                }
            });
        }

        /** For Hibernate, whose dialect offers Spring no savepoints. */
        static AtSavepoint jdbc(Invoices invoices) {
            return (undo, work) -> {
                Connection connection = DataSourceUtils.getConnection(invoices.pool);
                try {
                    Savepoint savepoint = connection.setSavepoint();
                    work.run();
                    if (undo) {
                        connection.rollback(savepoint);
                    }
                } catch (SQLException e) {
                    throw new AssertionError(e);
                } finally {
                    DataSourceUtils.releaseConnection(connection, invoices.pool);
                }
            };
        }
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
