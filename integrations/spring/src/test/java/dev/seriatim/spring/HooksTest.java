// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Draws in the hooks of a transaction: those before its end are part of it, and those after it need one of their own. */
class HooksTest {

    private static final String ENDED =
            "sequence 'invoice_id': the transaction on this thread has ended, and this code runs after it; draw in a new one,"
                    + " such as @Transactional(propagation = Propagation.REQUIRES_NEW)";

    /** Runs a hook at one point of a transaction's end. */
    record Hook(String point, int order, Runnable hook) implements TransactionSynchronization {

        static void register(String point, Runnable hook) {
            TransactionSynchronizationManager.registerSynchronization(new Hook(point, Ordered.LOWEST_PRECEDENCE, hook));
        }

        @Override
        public int getOrder() {
            return order;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            run("beforeCommit");
        }

        @Override
        public void beforeCompletion() {
            run("beforeCompletion");
        }

        @Override
        public void afterCommit() {
            run("afterCommit");
        }

        @Override
        public void afterCompletion(int status) {
            run("afterCompletion");
        }

        private void run(String reached) {
            if (point.equals(reached)) {
                hook.run();
            }
        }
    }

    private static void each(
            boolean autoCommit, boolean jpa, java.util.function.BiConsumer<Invoices, TransactionTemplate> trial)
            throws SQLException {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL, autoCommit);
                Jpa entities = new Jpa(invoices.pool)) {
            trial.accept(invoices, new TransactionTemplate(jpa ? entities.manager : invoices.manager));
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void after_the_end_nothing_is_drawn(boolean autoCommit, boolean jpa) throws SQLException {
        each(autoCommit, jpa, (invoices, transaction) -> {
            int drawn = 0;
            for (String point : List.of("afterCommit", "afterCompletion")) {
                for (boolean before : new boolean[] {true, false}) {
                    for (int order : new int[] {Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE}) {
                        List<Throwable> refusals = new ArrayList<>();
                        Runnable draw = () -> {
                            refusals.add(catching(invoices.numbers::next));
                            refusals.add(catching(() -> invoices.numbers.next(2)));
                            refusals.add(catching(() -> joining(transaction, invoices)));
                        };
                        transaction.executeWithoutResult(status -> {
                            TransactionSynchronizationManager.registerSynchronization(new Hook(point, order, draw));
                            if (before) {
                                invoices.issue();
                            }
                        });
                        drawn += before ? 1 : 0;
                        assertThat(refusals).hasSize(3).allSatisfy(HooksTest::isRefusal);
                    }
                }
            }
            invoices.areExactly(drawn);
            transaction.executeWithoutResult(status -> invoices.issue());
            invoices.areExactly(drawn + 1);
        });
    }

    /** As a method with @Transactional that calls another. */
    private static void joining(TransactionTemplate transaction, Invoices invoices) {
        inMethod(transaction, () -> transaction.executeWithoutResult(inner -> invoices.numbers.next()));
    }

    private static void inMethod(TransactionTemplate transaction, Runnable body) {
        TransactionInterceptor method = new TransactionInterceptor(
                (TransactionManager) transaction.getTransactionManager(), new MatchAlwaysTransactionAttributeSource());
        ProxyFactory proxies = new ProxyFactory(body);
        proxies.addAdvice(method);
        ((Runnable) proxies.getProxy()).run();
    }

    private static void isRefusal(Throwable thrown) {
        assertThat(thrown).isInstanceOf(Misconfigured.class).hasMessage(ENDED);
    }

    private static Throwable catching(Runnable draw) {
        try {
            draw.run();
        } catch (Throwable thrown) {
            return thrown;
        }
        throw new AssertionError("drawn");
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void after_a_rollback_nothing_is_drawn(boolean autoCommit, boolean jpa) throws SQLException {
        each(autoCommit, jpa, (invoices, transaction) -> {
            List<Throwable> refusals = new ArrayList<>();
            for (boolean before : new boolean[] {true, false}) {
                transaction.executeWithoutResult(status -> {
                    if (before) {
                        invoices.issue();
                    }
                    Hook.register("afterCompletion", () -> refusals.add(catching(invoices.numbers::next)));
                    status.setRollbackOnly();
                });
            }
            assertThat(refusals).hasSize(2).allSatisfy(HooksTest::isRefusal);
            invoices.areExactly(0);
        });
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void before_the_end_numbers_are_drawn_in_the_transaction(boolean autoCommit, boolean jpa) throws SQLException {
        each(autoCommit, jpa, (invoices, transaction) -> {
            for (boolean commit : new boolean[] {false, true}) {
                transaction.executeWithoutResult(status -> {
                    Hook.register("beforeCommit", invoices::issue);
                    Hook.register("beforeCompletion", invoices::issue);
                    if (!commit) {
                        status.setRollbackOnly();
                    }
                });
            }
            invoices.areExactly(2);
        });
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void a_new_transaction_in_a_hook_draws_also_between_hooks_of_its_own(boolean autoCommit, boolean jpa)
            throws SQLException {
        each(autoCommit, jpa, (invoices, transaction) -> {
            PlatformTransactionManager manager = transaction.getTransactionManager();
            TransactionTemplate fresh = new TransactionTemplate(
                    manager, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
            List<Throwable> refusals = new ArrayList<>();
            for (String point : List.of("afterCommit", "afterCompletion")) {
                for (boolean before : new boolean[] {true, false}) {
                    transaction.executeWithoutResult(status -> {
                        if (before) {
                            invoices.issue();
                        }
                        Hook.register(
                                point,
                                () -> fresh.executeWithoutResult(inner -> {
                                    invoices.issue();
                                    Hook.register(point, () -> refusals.add(catching(invoices.numbers::next)));
                                    invoices.issue();
                                }));
                    });
                }
            }
            assertThat(refusals).hasSize(4).allSatisfy(HooksTest::isRefusal);
            invoices.areExactly(2 * 3 + 2 * 2);
        });
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void a_new_transaction_in_a_method_that_has_joined_the_ended_one_draws(boolean autoCommit, boolean jpa)
            throws SQLException {
        each(autoCommit, jpa, (invoices, transaction) -> {
            TransactionTemplate fresh = new TransactionTemplate(
                    transaction.getTransactionManager(),
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
            transaction.executeWithoutResult(status -> Hook.register(
                    "afterCompletion",
                    () -> inMethod(transaction, () -> fresh.executeWithoutResult(inner -> invoices.issue()))));
            invoices.areExactly(1);
        });
    }

    @Test
    void a_unit_of_work_that_has_ended_is_no_transaction() throws SQLException {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL)) {
            GroupedTransactions grouped = invoices.numbers.grouped();
            List<Long> drawn = new ArrayList<>();
            grouped.executeWithoutResult(status -> {
                invoices.issue();
                Hook.register("afterCommit", () -> {
                    assertThatThrownBy(invoices.numbers::next).hasMessageContaining("no transaction");
                    drawn.add(grouped.<Long>execute(inner -> invoices.issue()));
                    drawn.add(invoices.transaction().<Long>execute(inner -> invoices.issue()));
                });
            });
            assertThat(drawn).containsExactly(2L, 3L);
            invoices.areExactly(3);
        }
    }

    @Test
    void an_event_listener_draws_before_the_commit_and_is_refused_after_it() throws SQLException {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL, false);
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            List<Throwable> refusals = new ArrayList<>();
            context.register(Events.class);
            context.registerBean(
                    Listeners.class,
                    () -> new Listeners(before -> {
                        if (before) {
                            invoices.issue();
                        } else {
                            refusals.add(catching(invoices.numbers::next));
                        }
                    }));
            context.refresh();
            invoices.transaction().executeWithoutResult(status -> context.publishEvent("issued"));
            assertThat(refusals).hasSize(2).allSatisfy(HooksTest::isRefusal);
            invoices.areExactly(1);
        }
    }

    @EnableTransactionManagement
    static class Events {}

    record Listeners(Consumer<Boolean> draw) {

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void before(String event) {
            draw.accept(true);
        }

        @TransactionalEventListener
        void after(String event) {
            draw.accept(false);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void completed(String event) {
            draw.accept(false);
        }
    }
}
