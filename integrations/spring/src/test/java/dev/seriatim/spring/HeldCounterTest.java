// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction that has drawn holds the counter, also while it is suspended. */
@Timeout(60)
class HeldCounterTest {

    private static final String HELD =
            "sequence 'invoice_id': a suspended transaction of this thread holds the counter,"
                    + " so this one cannot get it; draw in that one, outside the REQUIRES_NEW code";

    private static void each(boolean jpa, BiConsumer<Invoices, PlatformTransactionManager> trial) throws SQLException {
        each(jpa, 10, trial);
    }

    private static void each(boolean jpa, int connections, BiConsumer<Invoices, PlatformTransactionManager> trial)
            throws SQLException {
        try (Invoices invoices = new Invoices(Engine.POSTGRESQL, true, connections);
                Jpa entities = new Jpa(invoices.pool)) {
            trial.accept(invoices, jpa ? entities.manager : invoices.manager);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        }
    }

    private static TransactionTemplate with(PlatformTransactionManager manager, int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static TransactionTemplate fresh(PlatformTransactionManager manager) {
        return with(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    private static void isHeld(GaplessNumbers numbers) {
        long began = System.nanoTime();
        assertThatThrownBy(numbers::next).isInstanceOf(Misconfigured.class).hasMessage(HELD);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_second_transaction_of_the_thread_is_refused_at_once(boolean jpa) throws SQLException {
        each(jpa, (invoices, manager) -> {
            GaplessNumbers other = invoices.numbersOf(new DelegatingDataSource(invoices.pool));
            new TransactionTemplate(manager).executeWithoutResult(outer -> {
                invoices.issue();
                fresh(manager).executeWithoutResult(inner -> {
                    isHeld(invoices.numbers);
                    isHeld(other);
                    assertThatThrownBy(() -> invoices.numbers.next(2)).hasMessage(HELD);
                });
                invoices.issue();
            });
            new TransactionTemplate(manager).executeWithoutResult(status -> invoices.issue());
            invoices.areExactly(3);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_second_transaction_draws_other_numbers_and_those_that_the_first_draws_later(boolean jpa)
            throws SQLException {
        each(jpa, (invoices, manager) -> {
            GaplessNumbers receipts = GaplessNumbers.of(invoices.sequences.gapless("receipt_id"), invoices.pool);
            new TransactionTemplate(manager).executeWithoutResult(outer -> {
                fresh(manager).executeWithoutResult(inner -> invoices.issue());
                invoices.issue();
                fresh(manager).executeWithoutResult(inner -> {
                    receipts.next();
                    fresh(manager).executeWithoutResult(innermost -> isHeld(invoices.numbers));
                    isHeld(invoices.numbers);
                    receipts.next();
                });
                fresh(manager).executeWithoutResult(inner -> receipts.next());
                invoices.issue();
            });
            invoices.areExactly(3);
            assertThat(invoices.sequences.store().describe("receipt_id").nextValue())
                    .isEqualTo(4);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_second_transaction_that_fails_leaves_the_first_as_it_was(boolean jpa) throws SQLException {
        each(
                jpa,
                2,
                (invoices, manager) -> new TransactionTemplate(manager).executeWithoutResult(outer -> {
                    invoices.issue();
                    for (int i = 0; i < 3; i++) {
                        assertThatThrownBy(() -> fresh(manager).executeWithoutResult(inner -> {
                                    isHeld(invoices.numbers);
                                    throw new IllegalStateException("refused");
                                }))
                                .hasMessage("refused");
                        invoices.issue();
                    }
                    try (Connection other = invoices.pool.getConnection()) {
                        assertThat(other.isClosed()).isFalse();
                        assertThatThrownBy(() -> fresh(manager).executeWithoutResult(inner -> {}))
                                .hasMessageContaining("Could not open");
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                    assertThat(invoices.issue()).isEqualTo(5);
                    outer.setRollbackOnly();
                }));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void what_a_savepoint_s_rollback_has_released_is_not_refused(Engine engine) throws SQLException {
        try (Invoices invoices = new Invoices(engine)) {
            PlatformTransactionManager manager = invoices.manager;
            TransactionTemplate nested = with(manager, TransactionDefinition.PROPAGATION_NESTED);
            TransactionTemplate fresh = fresh(manager);
            invoices.transaction().executeWithoutResult(outer -> {
                nested.executeWithoutResult(inner -> {
                    invoices.issue();
                    inner.setRollbackOnly();
                });
                if (engine == Engine.POSTGRESQL) { // MariaDB keeps the lock
                    fresh.executeWithoutResult(inner -> invoices.issue());
                    Object savepoint = outer.createSavepoint();
                    for (int i = 0; i < 2; i++) {
                        invoices.issue();
                        fresh.executeWithoutResult(inner -> isHeld(invoices.numbers));
                        outer.rollbackToSavepoint(savepoint);
                        fresh.executeWithoutResult(inner -> invoices.issue());
                    }
                } else {
                    invoices.issue();
                    invoices.issue();
                    invoices.issue();
                }
                nested.executeWithoutResult(inner -> invoices.issue()); // commits
                fresh.executeWithoutResult(inner -> isHeld(invoices.numbers));
                Object later = outer.createSavepoint();
                invoices.issue();
                outer.rollbackToSavepoint(later);
                assertThat(invoices.issue()).isEqualTo(5);
                fresh.executeWithoutResult(inner -> isHeld(invoices.numbers));
            });
            invoices.areExactly(5);
        }
    }

    @Test
    void outside_a_transaction_the_suspended_one_still_holds_it() throws SQLException {
        each(
                false,
                (invoices, manager) -> invoices.transaction().executeWithoutResult(outer -> {
                    invoices.issue();
                    with(manager, TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                            .executeWithoutResult(none -> {
                                assertThatThrownBy(invoices.numbers::next)
                                        .hasMessageContaining("no transaction on this thread");
                                invoices.transaction().executeWithoutResult(inner -> isHeld(invoices.numbers));
                                assertThatThrownBy(
                                                () -> invoices.numbers.grouped().execute(status -> 1))
                                        .isInstanceOf(IllegalStateException.class)
                                        .hasMessageContaining("suspended");
                            });
                    assertThat(invoices.issue()).isEqualTo(2);
                }));
    }

    @Test
    void a_unit_of_work_holds_the_other_numbers_that_it_draws() throws SQLException {
        each(false, (invoices, manager) -> {
            GaplessNumbers receipts = GaplessNumbers.of(invoices.sequences.gapless("receipt_id"), invoices.pool);
            receipts.grouped().executeWithoutResult(unit -> {
                receipts.next();
                invoices.issue();
                fresh(manager).executeWithoutResult(inner -> isHeld(invoices.numbers));
                assertThatThrownBy(() -> fresh(manager).executeWithoutResult(inner -> receipts.next()))
                        .hasMessage(HELD.replace("invoice", "receipt"));
            });
            invoices.areExactly(1);
        });
    }

    @Test
    void another_database_behind_the_same_routing_source_has_its_own_counter() throws SQLException {
        try (Invoices first = new Invoices(Engine.POSTGRESQL);
                Invoices second = new Invoices(Engine.POSTGRESQL)) {
            String[] lookup = {"first"};
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return lookup[0];
                }
            };
            routing.setTargetDataSources(Map.of("first", first.pool, "second", second.pool));
            routing.afterPropertiesSet();
            GaplessNumbers numbers = first.numbersOf(routing);
            PlatformTransactionManager manager = new JdbcTransactionManager(routing);
            second.sequences.gapless("invoice_id");
            fresh(manager).executeWithoutResult(outer -> {
                assertThat(numbers.next()).isEqualTo(1);
                lookup[0] = "second";
                assertThat(fresh(manager).<Long>execute(inner -> numbers.next()))
                        .isEqualTo(1);
                second.transaction().executeWithoutResult(inner -> second.numbers.next());
            });
        }
    }

    @Test
    void a_savepoint_set_after_the_draw_does_not_release_the_counter() throws SQLException {
        each(false, (invoices, manager) -> {
            invoices.transaction().executeWithoutResult(outer -> {
                invoices.issue();
                with(manager, TransactionDefinition.PROPAGATION_NESTED)
                        .executeWithoutResult(nested -> nested.setRollbackOnly());
                fresh(manager).executeWithoutResult(inner -> isHeld(invoices.numbers));
            });
            invoices.areExactly(1);
        });
    }

    /** A manager of another database suspends the synchronizations, but leaves the connection to the thread. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void beside_a_transaction_of_another_database_the_open_one_draws_on(boolean jpa) throws SQLException {
        each(jpa, (invoices, manager) -> {
            TransactionTemplate beside = fresh(new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:")));
            new TransactionTemplate(manager).executeWithoutResult(outer -> {
                invoices.issue();
                beside.executeWithoutResult(inner -> {
                    invoices.issue();
                    fresh(manager).executeWithoutResult(third -> isHeld(invoices.numbers));
                    invoices.issue();
                });
                fresh(manager).executeWithoutResult(inner -> isHeld(invoices.numbers));
                invoices.issue();
            });
            invoices.areExactly(4);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_draw_waits_no_longer_than_the_transaction_s_timeout(Engine engine) throws SQLException {
        try (Invoices invoices = new Invoices(engine);
                Connection holder = invoices.pool.getConnection()) {
            holder.setAutoCommit(false);
            invoices.sequences.gapless("invoice_id").next(holder);
            TransactionTemplate hurried = invoices.transaction();
            hurried.setTimeout(2);
            long began = System.nanoTime();
            assertThatThrownBy(() -> hurried.executeWithoutResult(status -> invoices.issue()))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("for a lock held by another transaction");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(6));
            holder.rollback();
            hurried.executeWithoutResult(status -> invoices.issue());
            invoices.areExactly(1);
        }
    }

    @Test
    void a_pool_of_one_connection_is_too_small_for_a_second_transaction() throws SQLException {
        each(false, 1, (invoices, manager) -> {
            invoices.transaction()
                    .executeWithoutResult(outer -> assertThatThrownBy(
                                    () -> fresh(manager).executeWithoutResult(inner -> invoices.issue()))
                            .rootCause()
                            .hasMessageContaining("Connection is not available"));
            invoices.transaction().executeWithoutResult(status -> invoices.issue());
            invoices.areExactly(1);
        });
    }

    /** The number is used twice; sync then takes the counter past the rows. */
    @Test
    void a_number_stored_by_another_transaction_than_drew_it_blocks_later_draws() throws SQLException {
        each(false, (invoices, manager) -> {
            invoices.transaction().executeWithoutResult(outer -> {
                long number = invoices.numbers.next();
                fresh(manager).executeWithoutResult(inner -> invoices.store(number));
                outer.setRollbackOnly();
            });
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> invoices.transaction().executeWithoutResult(status -> invoices.issue()))
                        .isInstanceOf(org.springframework.dao.DuplicateKeyException.class);
            }
            List<Long> stored = invoices.jdbc.queryForList("SELECT number FROM invoice", Long.class);
            assertThat(Objects.requireNonNull(stored)).containsExactly(1L);
        });
    }
}
