// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Sequence;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

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

    /** Between tests, as the page says. */
    @Test
    void a_restart_reaches_gapless_and_ordered_sequences_at_once() {
        billing.issue(false);
        Sequence ordered = invoices.sequences.ordered("ticket_id");
        ordered.next();
        invoices.jdbc.update("DELETE FROM invoice");
        invoices.sequences.store().restart("invoice_id", 1);
        invoices.sequences.store().restart("ticket_id", 1);
        assertThat(billing.issue(false)).isEqualTo(1);
        assertThat(ordered.next()).isEqualTo(1);
    }
}
