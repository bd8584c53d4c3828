// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.servers.Engine;
import dev.seriatim.spring.TransactionalCodeTest.Annotations;
import dev.seriatim.spring.TransactionalCodeTest.Billing;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.RollbackOn;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring commits after some exceptions. Isolated, because an application that starts configures logging. */
@Isolated
class CommitAfterExceptionTest {

    @EnableTransactionManagement(proxyTargetClass = true, rollbackOn = RollbackOn.ALL_EXCEPTIONS)
    static class RollbackAlways {}

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Invoices invoices;

    CommitAfterExceptionTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
    }

    @AfterEach
    void close() {
        context.close();
        invoices.close();
    }

    private Billing billing(Class<?> annotations) {
        context.register(annotations);
        context.registerBean("transactionManager", PlatformTransactionManager.class, () -> invoices.manager);
        context.registerBean(Billing.class, () -> new Billing(invoices, context));
        context.refresh();
        return context.getBean(Billing.class);
    }

    @Test
    void a_commit_after_an_exception_is_warned_of() {
        Billing billing = billing(Annotations.class);
        IOException checked = new IOException("no answer");
        assertThat(warnings(() -> billing.fail(checked, invoices.numbers::next)))
                .containsExactly(
                        "sequences [invoice_id]: a transaction that has drawn was committed although its method threw"
                                + " an exception, and a number that it did not store is a gap; roll it back by"
                                + " @Transactional(rollbackFor = Exception.class)");
        assertThat(invoices.sequences.store().describe("invoice_id").nextValue())
                .as("the gap")
                .isEqualTo(2);
        assertThat(warnings(() -> billing.fail(checked, () -> {}))).isEmpty();
        assertThat(warnings(() -> billing.fail(new IllegalStateException(), invoices.numbers::next)))
                .isEmpty();
        assertThat(warnings(() -> billing.failAndRollBack(checked, invoices.numbers::next)))
                .isEmpty();
        assertThat(warnings(() -> invoices.transaction().execute(status -> {
                    invoices.numbers.next();
                    throw new UndeclaredThrowableException(checked); // which it rolls back
                })))
                .isEmpty();
        assertThat(invoices.sequences.store().describe("invoice_id").nextValue())
                .isEqualTo(2);
    }

    @Test
    void a_transaction_of_a_hook_is_not_taken_for_the_one_whose_method_threw() {
        Billing billing = billing(Annotations.class);
        TransactionSynchronization hooks = new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                fresh();
            }

            @Override
            public void afterCommit() {
                fresh();
            }

            private void fresh() {
                TransactionStatus status = invoices.manager.getTransaction(
                        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
                invoices.issue();
                invoices.manager.commit(status);
            }
        };
        assertThat(warnings(() -> billing.fail(
                        new IOException("no answer"),
                        () -> TransactionSynchronizationManager.registerSynchronization(hooks))))
                .isEmpty();
        invoices.areExactly(2);
    }

    @Test
    void an_application_can_roll_back_after_every_exception() {
        Billing billing = billing(RollbackAlways.class);
        assertThat(warnings(() -> billing.fail(new IOException("no answer"), invoices::issue)))
                .isEmpty();
        invoices.areExactly(0);
    }

    /** What cannot be seen, and the page says. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "SQLITE", "POSTGRESQL"})
    void a_caught_exception_of_an_insert_leaves_a_gap_where_the_transaction_goes_on(Engine engine) throws SQLException {
        try (Invoices other = new Invoices(engine)) {
            other.transaction().executeWithoutResult(status -> other.issue());
            other.transaction().executeWithoutResult(status -> {
                other.numbers.next();
                assertThatThrownBy(() -> other.store(1)).isInstanceOf(DataAccessException.class);
            });
            assertThat(other.sequences.store().describe("invoice_id").nextValue())
                    .isEqualTo(engine == Engine.POSTGRESQL ? 2 : 3);
        }
    }

    /** Runs a call that throws, and returns the warnings of this thread. */
    private static List<String> warnings(ThrowingCallable call) {
        List<String> warnings = new ArrayList<>();
        long here = Thread.currentThread().getId();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLongThreadID() == here && line.getLevel().equals(Level.WARNING)) {
                    warnings.add(new SimpleFormatter().formatMessage(line));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.seriatim.spring");
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            assertThatThrownBy(call).isNotNull();
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        return warnings;
    }
}
