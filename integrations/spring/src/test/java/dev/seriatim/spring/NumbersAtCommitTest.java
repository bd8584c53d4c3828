// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.servers.Engine;
import dev.seriatim.spring.HooksTest.Hook;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Numbers drawn when Spring is about to commit. */
class NumbersAtCommitTest {

    private final Invoices invoices;

    NumbersAtCommitTest() throws SQLException {
        invoices = new Invoices(Engine.POSTGRESQL);
        invoices.database.execute("CREATE TABLE draft (id int PRIMARY KEY, number bigint)");
    }

    @AfterEach
    void close() {
        invoices.close();
    }

    /** Takes turns in each of four threads. */
    private static void each(int turns, BiConsumer<Integer, Integer> turn) {
        CompletableFuture.allOf(IntStream.range(0, 4)
                        .mapToObj(thread -> CompletableFuture.runAsync(
                                () -> IntStream.range(0, turns).forEach(one -> turn.accept(thread, one)),
                                task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** Inserts a row, and lets it be numbered. */
    private void draft(int id) {
        draft(id, invoices.numbers);
    }

    private void draft(int id, GaplessNumbers numbers) {
        invoices.jdbc.update("INSERT INTO draft (id) VALUES (?)", id);
        numbers.atCommit(number -> invoices.jdbc.update("UPDATE draft SET number = ? WHERE id = ?", number, id));
    }

    private String drafts() {
        return String.join(
                " ",
                invoices.jdbc.queryForList(
                        "SELECT id || '=' || coalesce(number, 0) FROM draft ORDER BY id", String.class));
    }

    private long next() {
        return invoices.sequences.store().describe("invoice_id").nextValue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_number_is_drawn_with_the_commit_and_others_go_first(boolean jpa) {
        try (Jpa entities = new Jpa(invoices.pool)) {
            TransactionTemplate transaction = new TransactionTemplate(jpa ? entities.manager : invoices.manager);
            transaction.executeWithoutResult(status -> {
                draft(1);
                assertThat(drafts()).isEqualTo("1=0");
                TransactionTemplate other = new TransactionTemplate(
                        jpa ? entities.manager : invoices.manager,
                        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
                other.executeWithoutResult(inner -> draft(2));
                transaction.executeWithoutResult(joined -> draft(3));
            });
        }
        assertThat(drafts()).isEqualTo("1=2 2=1 3=3");
        assertThat(next()).isEqualTo(4);
    }

    @Test
    void a_rollback_draws_nothing() {
        invoices.transaction().executeWithoutResult(status -> {
            draft(1);
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> {
                    draft(2);
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(drafts()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_nested_transaction_that_rolls_back_takes_its_own_along() {
        TransactionTemplate nested = invoices.transaction(TransactionDefinition.PROPAGATION_NESTED);
        invoices.transaction().executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> {
                draft(1);
                inner.setRollbackOnly();
            });
            draft(2);
            nested.executeWithoutResult(inner -> {
                draft(3);
                inner.setRollbackOnly();
            });
            nested.executeWithoutResult(inner -> draft(4));
            Object savepoint = status.createSavepoint();
            draft(5);
            status.rollbackToSavepoint(savepoint);
        });
        assertThat(drafts()).isEqualTo("2=1 4=2");
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void a_step_that_fails_rolls_the_transaction_back() {
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> {
                    draft(1);
                    invoices.numbers.atCommit(number -> invoices.jdbc.update("UPDATE nowhere SET number = 1"));
                }))
                .isInstanceOf(DataAccessException.class);
        assertThat(drafts()).isEmpty();
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> {
                    draft(1);
                    invoices.numbers.atCommit(number -> {
                        throw new NoClassDefFoundError("refused");
                    });
                }))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(drafts()).isEmpty();
        assertThat(next()).isEqualTo(1);
        invoices.transaction().executeWithoutResult(status -> draft(1));
        assertThat(drafts()).isEqualTo("1=1");
    }

    @Test
    void other_hooks_come_first_and_theirs_are_drawn_at_once() {
        List<String> order = new ArrayList<>();
        invoices.transaction().executeWithoutResult(status -> {
            Hook.register("beforeCommit", () -> {
                order.add("other");
                draft(2);
                order.add(drafts());
            });
            Hook.register("beforeCompletion", () -> draft(3));
            draft(1);
            invoices.numbers.atCommit(number -> order.add("step " + number));
            status.flush();
        });
        assertThat(order).containsExactly("other", "1=0 2=1", "step 3");
        assertThat(drafts()).isEqualTo("1=2 2=1 3=4");
        invoices.transaction().executeWithoutResult(status -> Hook.register("beforeCommit", () -> draft(4)));
        assertThat(drafts()).endsWith("4=5");
    }

    @Test
    void what_holds_no_draw_is_refused_at_once() {
        Runnable draw = () -> invoices.numbers.atCommit(number -> {
            throw new AssertionError("drawn");
        });
        assertThatThrownBy(draw::run).isInstanceOf(Misconfigured.class).hasMessageContaining("no transaction");
        TransactionTemplate readOnly = invoices.transaction();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status ->
                assertThatThrownBy(draw::run).isInstanceOf(Misconfigured.class).hasMessageContaining("read-only"));
        List<Throwable> late = new ArrayList<>();
        invoices.transaction().executeWithoutResult(status -> {
            draft(1);
            for (String point : List.of("afterCommit", "afterCompletion")) {
                Hook.register(point, () -> {
                    try {
                        draw.run();
                    } catch (Misconfigured e) {
                        late.add(e);
                    }
                });
            }
        });
        assertThat(late).hasSize(2).allSatisfy(e -> assertThat(e).hasMessageContaining("has ended"));
        invoices.manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        invoices.transaction()
                .executeWithoutResult(status -> assertThatThrownBy(draw::run)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("calls no hooks"));
        assertThat(next()).isEqualTo(2);
    }

    @Test
    void the_timeout_of_the_transaction_holds() {
        TransactionTemplate hurried = invoices.transaction();
        hurried.setTimeout(1);
        assertThatThrownBy(() -> hurried.executeWithoutResult(status -> {
                    draft(1);
                    try {
                        Thread.sleep(1_100);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("nothing was committed")
                .hasCauseInstanceOf(TransactionTimedOutException.class);
        assertThat(drafts()).isEmpty();
        // Spring takes such an exception of a step for one of the commit.
        assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> {
                    draft(2);
                    invoices.numbers.atCommit(number -> {
                        throw new UnexpectedRollbackException("of another transaction");
                    });
                }))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("of another transaction");
        assertThat(drafts()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void the_timeout_holds_in_a_hook_before_the_commit() {
        TransactionTemplate hurried = invoices.transaction();
        hurried.setTimeout(1);
        assertThatThrownBy(() -> hurried.executeWithoutResult(status -> Hook.register("beforeCommit", () -> {
                    invoices.jdbc.update("INSERT INTO draft (id) VALUES (1)");
                    try {
                        Thread.sleep(1_100);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    invoices.numbers.atCommit(number -> {
                        throw new AssertionError("drawn");
                    });
                })))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("nothing was committed")
                .hasCauseInstanceOf(TransactionTimedOutException.class);
        assertThatThrownBy(() -> invoices.transaction()
                        .executeWithoutResult(status -> Hook.register("beforeCommit", () -> {
                            invoices.jdbc.update("INSERT INTO draft (id) VALUES (2)");
                            invoices.numbers.atCommit(number -> {
                                throw new UnexpectedRollbackException("of another transaction");
                            });
                        })))
                .isInstanceOf(Unavailable.class);
        assertThat(drafts()).isEmpty();
        assertThat(next()).isEqualTo(1);
    }

    @Test
    void a_unit_of_work_numbers_its_rows_by_its_turn() {
        GroupedTransactions grouped = invoices.numbers.grouped();
        each(5, (thread, turn) -> grouped.executeWithoutResult(status -> draft(10 * thread + turn)));
        assertThat(invoices.jdbc.queryForList("SELECT number FROM draft ORDER BY 1", Long.class))
                .hasSize(20)
                .startsWith(1L)
                .endsWith(20L);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void transactions_that_draw_from_two_sequences_in_any_order_do_not_deadlock(Engine engine) throws SQLException {
        try (Invoices many = new Invoices(engine)) {
            many.database.execute("CREATE TABLE draft (id int PRIMARY KEY, number bigint, receipt bigint)");
            GaplessNumbers receipts = GaplessNumbers.of(many.sequences.gapless("receipt_id"), many.pool);
            each(
                    15,
                    (thread, turn) -> many.transaction().executeWithoutResult(status -> {
                        int id = 100 * thread + turn;
                        many.jdbc.update("INSERT INTO draft (id) VALUES (?)", id);
                        Runnable number = () -> many.numbers.atCommit(
                                drawn -> many.jdbc.update("UPDATE draft SET number = ? WHERE id = ?", drawn, id));
                        Runnable receipt = () -> receipts.atCommit(
                                drawn -> many.jdbc.update("UPDATE draft SET receipt = ? WHERE id = ?", drawn, id));
                        (thread % 2 == 0 ? number : receipt).run();
                        (thread % 2 == 0 ? receipt : number).run();
                        if (turn % 5 == 4) {
                            status.setRollbackOnly();
                        }
                    }));
            for (String column : List.of("number", "receipt")) {
                assertThat(many.jdbc.queryForList("SELECT " + column + " FROM draft ORDER BY 1", Long.class))
                        .hasSize(48)
                        .startsWith(1L)
                        .endsWith(48L);
            }
        }
    }
}
