// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.TransactionalSequence;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Which connection to draw on if a framework holds the transaction's connection, over a pool: the advice that the
 * error gives.
 */
class FrameworkConnectionsTest {

    private static final KeptNumbers INVOICES = new KeptNumbers("invoice");

    private HikariDataSource pool;
    private JdbcStore store;
    private TransactionalSequence<Connection> numbers;

    @BeforeEach
    void open() throws SQLException {
        open(Engine.POSTGRESQL);
    }

    private void open(Engine engine) throws SQLException {
        close();
        Database database = engine.freshDatabase();
        database.execute(INVOICES.create());
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        pool = new HikariDataSource(config);
        store = JdbcStore.open(pool);
        store.create(SequenceDefinition.of("s"));
        numbers = TransactionalSequence.of(store, "s");
    }

    @AfterEach
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    private TransactionTemplate transactions(int propagation) {
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(pool));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private TransactionTemplate transactions() {
        return transactions(TransactionDefinition.PROPAGATION_REQUIRED);
    }

    private void invoice(Connection transaction) {
        try {
            INVOICES.keep(transaction, numbers.next(transaction));
        } catch (SQLException e) {
            throw new IllegalStateException("the invoice could not be stored", e);
        }
    }

    private void assertOneToFive() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(INVOICES.all(connection)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
        }
        assertThat(store.describe("s").nextValue()).isEqualTo(6);
    }

    @Test
    void a_second_connection_is_refused_with_the_mistake_and_the_remedies() {
        assertThatThrownBy(() -> transactions().executeWithoutResult(status -> {
                    try (Connection second = pool.getConnection()) {
                        numbers.next(second);
                    } catch (SQLException e) {
                        throw new IllegalStateException("there is no connection", e);
                    }
                }))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'s'")
                .hasMessageContaining("not in the transaction that stores the number")
                .hasMessageContaining("DataSourceUtils.getConnection(dataSource)")
                .hasMessageContaining("TransactionAwareDataSourceProxy")
                .hasMessageContaining("doReturningWork")
                .hasMessageNotContaining("\n");
        assertThat(store.describe("s").nextValue()).isEqualTo(1);
    }

    @Test
    void springs_connection_of_the_transaction_gives_each_its_own_number() throws SQLException {
        for (int i = 0; i < 5; i++) {
            transactions().executeWithoutResult(status -> invoice(DataSourceUtils.getConnection(pool)));
        }
        assertOneToFive();
    }

    @Test
    void springs_proxy_of_the_data_source_does_too() throws SQLException {
        DataSource proxy = new TransactionAwareDataSourceProxy(pool);
        for (int i = 0; i < 5; i++) {
            transactions().executeWithoutResult(status -> {
                try (Connection transaction = proxy.getConnection()) {
                    invoice(transaction);
                } catch (SQLException e) {
                    throw new IllegalStateException("there is no connection", e);
                }
            });
        }
        assertOneToFive();
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void a_nested_transaction_of_spring_takes_back_what_was_drawn_in_it(Engine engine) throws SQLException {
        open(engine);
        TransactionTemplate nested = transactions(TransactionDefinition.PROPAGATION_NESTED);
        for (int i = 0; i < 2; i++) {
            transactions().executeWithoutResult(status -> {
                Connection transaction = DataSourceUtils.getConnection(pool);
                try (Sequence within = numbers.within(transaction)) {
                    keep(transaction, within.next());
                    nested.executeWithoutResult(refused -> {
                        keep(transaction, within.next());
                        keep(transaction, within.next());
                        refused.setRollbackOnly();
                    });
                    nested.executeWithoutResult(accepted -> keep(transaction, within.next()));
                }
            });
        }
        transactions().executeWithoutResult(status -> invoice(DataSourceUtils.getConnection(pool)));
        assertOneToFive();
    }

    private static void keep(Connection transaction, long number) {
        try {
            INVOICES.keep(transaction, number);
        } catch (SQLException e) {
            throw new IllegalStateException("the invoice could not be stored", e);
        }
    }

    @Test
    void jpas_connection_of_the_transaction_gives_each_its_own_number() throws SQLException {
        PersistenceConfiguration unit =
                new PersistenceConfiguration("invoices").property("hibernate.connection.datasource", pool);
        try (EntityManagerFactory factory = unit.createEntityManagerFactory()) {
            for (int i = 0; i < 5; i++) {
                factory.runInTransaction(entityManager -> {
                    long number = entityManager.unwrap(Session.class).doReturningWork(numbers::next);
                    entityManager
                            .createNativeQuery("INSERT INTO invoice (number) VALUES (" + number + ")")
                            .executeUpdate();
                });
            }
            assertThatThrownBy(() -> factory.runInTransaction(entityManager -> {
                        entityManager.unwrap(Session.class).doWork(this::invoice);
                        throw new IllegalStateException("refused");
                    }))
                    .hasMessage("refused");
        }
        assertOneToFive();
    }
}
