// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
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
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Numbers in beans with annotations, called alone and from a unit of a group. */
class TransactionalCodeTest {

    /** An event: an invoice was issued. */
    record Issued(long number) {}

    @Configuration
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Annotations {}

    static class Billing {
        private final Invoices invoices;
        private final ApplicationEventPublisher events;

        Billing(Invoices invoices, ApplicationEventPublisher events) {
            this.invoices = invoices;
            this.events = events;
        }

        @Transactional
        public long issue(boolean fail) {
            long number = invoices.issue();
            events.publishEvent(new Issued(number));
            if (fail) {
                throw new IllegalStateException("refused " + number);
            }
            return number;
        }

        @Transactional(propagation = Propagation.NESTED)
        public long attempt(boolean fail) {
            return issue(fail);
        }

        @Transactional
        public void fail(Exception failure, Runnable work) throws Exception {
            work.run();
            throw failure;
        }

        @Transactional(rollbackFor = Exception.class)
        public void failAndRollBack(Exception failure, Runnable work) throws Exception {
            fail(failure, work);
        }

        @Transactional(readOnly = true)
        public long look() {
            return invoices.numbers.next();
        }
    }

    static class Listener {
        final List<String> received = new ArrayList<>();

        @TransactionalEventListener
        void committed(Issued event) {
            received.add("committed " + event.number());
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void rolledBack(Issued event) {
            received.add("rolled back " + event.number());
        }
    }

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Invoices invoices;
    private final Billing billing;
    private List<String> received;

    TransactionalCodeTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
        context.register(Annotations.class);
        context.registerBean("transactionManager", PlatformTransactionManager.class, () -> invoices.manager);
        context.registerBean(Billing.class, () -> new Billing(invoices, context));
        context.registerBean(Listener.class, Listener::new);
        context.refresh();
        billing = context.getBean(Billing.class);
        received = context.getBean(Listener.class).received;
    }

    @AfterEach
    void close() {
        context.close();
        invoices.close();
    }

    @Test
    void a_method_s_transaction_holds_the_draw() {
        assertThat(billing.issue(false)).isEqualTo(1);
        assertThatThrownBy(() -> billing.issue(true)).hasMessage("refused 2");
        assertThat(billing.issue(false)).isEqualTo(2);
        assertThatThrownBy(billing::look)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("the transaction on this thread is read-only");
        invoices.areExactly(2);
        assertThat(received).containsExactly("committed 1", "rolled back 2", "committed 2");
    }

    @Test
    void the_same_methods_take_part_in_units_and_events_come_after_their_commit() {
        GroupedTransactions grouped = invoices.numbers.grouped();
        grouped.executeWithoutResult(status -> {
            assertThat(billing.issue(false)).isEqualTo(1);
            assertThatThrownBy(() -> billing.attempt(true)).hasMessage("refused 2");
            assertThat(billing.attempt(false)).isEqualTo(2);
            assertThat(received).isEmpty();
        });
        assertThat(received).contains("committed 1", "committed 2");
        invoices.areExactly(2);
        received.clear();
        assertThatThrownBy(() -> grouped.executeWithoutResult(status -> billing.issue(true)))
                .hasMessage("refused 3");
        assertThat(received).containsExactly("rolled back 3");
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> grouped.execute(s -> 1)))
                .isInstanceOf(Misconfigured.class);
        invoices.areExactly(2);
    }

    @Test
    void a_commit_after_an_exception_is_warned_of() {
        IOException checked = new IOException("no answer");
        assertThat(warnings(() -> billing.fail(checked, invoices.numbers::next)))
                .containsExactly(
                        "sequence 'invoice_id': a transaction that has drawn was committed although its method threw"
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

    /** Runs a call that throws, and returns the warnings of this thread. */
    private static List<String> warnings(ThrowingCallable call) {
        List<String> warnings = new ArrayList<>();
        long here = Thread.currentThread().getId();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLongThreadID() == here && line.getLevel() == Level.WARNING) {
                    warnings.add(new SimpleFormatter().formatMessage(line));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.seriatim.spring");
        logger.addHandler(handler);
        try {
            assertThatThrownBy(call).isNotNull();
        } finally {
            logger.removeHandler(handler);
        }
        return warnings;
    }
}
