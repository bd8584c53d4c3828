// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import com.atomikos.icatch.config.UserTransactionServiceImp;
import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import dev.seriatim.Allocation;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.xa.PGXADataSource;

/** Draws in the transactions of JTA's managers, each with its own pool. */
class JtaTest {

    enum Manager {
        ATOMIKOS,
        NARAYANA,
        /** With connections that are not XA's: what Quarkus sets up by default. */
        NARAYANA_LOCAL
    }

    @TempDir
    private static Path logs;

    private static final Logger SILENT = Logger.getLogger("com.atomikos");
    private static final UserTransactionManager ATOMIKOS = new UserTransactionManager();
    private static @Nullable UserTransactionServiceImp service;

    private final List<AutoCloseable> pools = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        SILENT.setLevel(Level.OFF);
        Properties properties = new Properties();
        properties.setProperty("com.atomikos.icatch.log_base_dir", logs.toString());
        service = new UserTransactionServiceImp(properties);
        service.init();
        ATOMIKOS.setStartupTransactionService(false);
        ATOMIKOS.init();
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(logs.toString());
        }
        BeanPopulator.getDefaultInstance(CoordinatorEnvironmentBean.class).setTransactionStatusManagerEnable(false);
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.shutdown(true);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (Manager manager : Manager.values()) {
            if (transactions(manager).getTransaction() != null) {
                transactions(manager).rollback(); // of a test that failed: threads are used again
            }
        }
        for (AutoCloseable pool : pools) {
            pool.close();
        }
    }

    private static TransactionManager transactions(Manager manager) {
        return manager == Manager.ATOMIKOS ? ATOMIKOS : com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    private DataSource source(Manager manager, Database database) throws SQLException {
        if (manager == Manager.ATOMIKOS) {
            AtomikosDataSourceBean source = new AtomikosDataSourceBean();
            source.setUniqueResourceName(UUID.randomUUID().toString().substring(0, 30));
            source.setXaDataSource(xa(database));
            source.setMaxPoolSize(5);
            pools.add(source::close);
            return source;
        }
        NarayanaTransactionIntegration narayana = new NarayanaTransactionIntegration(
                transactions(manager), new TransactionSynchronizationRegistryImple());
        Class<?> driver = xa(database).getClass();
        AgroalDataSource source = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(5)
                        .transactionIntegration(narayana)
                        .connectionFactoryConfiguration(factory -> manager == Manager.NARAYANA_LOCAL
                                ? factory.jdbcUrl(database.url())
                                : factory.connectionProviderClass(driver).xaProperty("url", database.url()))));
        pools.add(source);
        return source;
    }

    private static XADataSource xa(Database database) throws SQLException {
        if (database.url().startsWith("jdbc:mariadb")) {
            return new MariaDbDataSource(database.url());
        }
        PGXADataSource source = new PGXADataSource();
        source.setUrl(database.url());
        return source;
    }

    private static Database withInvoices(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE invoice (number BIGINT PRIMARY KEY)");
        return database;
    }

    private static void insert(Connection connection, long number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO invoice (number) VALUES (?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
    }

    private static void assertRows(Database database, long count) throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM invoice")).isEqualTo(count);
        assertThat(database.number("SELECT MAX(number) FROM invoice")).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({
        "ATOMIKOS, POSTGRESQL",
        "ATOMIKOS, MARIADB",
        "NARAYANA, POSTGRESQL",
        "NARAYANA, MARIADB",
        "NARAYANA_LOCAL, POSTGRESQL",
        "NARAYANA_LOCAL, MARIADB"
    })
    void a_draw_is_the_first_statement_of_a_transaction(Manager manager, Engine engine) throws Exception {
        Database database = withInvoices(engine);
        String url = database.url();
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        // As in docs/spring-and-pools.md.
        try (JdbcSequences sequences = JdbcSequences.open(url)) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            transactions.begin();
            try (Connection connection = source.getConnection()) {
                long number = invoices.next(connection);
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO invoice (number) VALUES (?)")) {
                    insert.setLong(1, number);
                    insert.executeUpdate();
                }
            }
            transactions.commit();

            transactions.begin();
            try (Connection connection = source.getConnection()) {
                insert(connection, invoices.next(connection));
            }
            transactions.rollback();
            assertRows(database, 1);

            transactions.begin();
            try (Connection connection = source.getConnection()) {
                insert(connection, invoices.next(connection));
            }
            transactions.commit();
            assertRows(database, 2);

            try (Connection connection = source.getConnection()) {
                assertThatThrownBy(() -> invoices.next(connection))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("in JTA a connection of its XA data source, inside the transaction");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ATOMIKOS, POSTGRESQL",
        "ATOMIKOS, MARIADB",
        "NARAYANA, POSTGRESQL",
        "NARAYANA, MARIADB",
        "NARAYANA_LOCAL, POSTGRESQL"
    })
    void a_last_step_fails_because_the_manager_commits_and_leaves_no_gap_however_it_ends(Manager manager, Engine engine)
            throws Exception {
        Database database = withInvoices(engine);
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        try (JdbcSequences sequences = JdbcSequences.open(database.url())) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            for (boolean commits : List.of(false, true)) {
                transactions.begin();
                try (Connection connection = source.getConnection()) {
                    assertThatThrownBy(() -> invoices.last(connection, number -> insert(connection, number)))
                            .isInstanceOf(SequenceException.class);
                }
                if (commits) {
                    transactions.commit();
                } else {
                    transactions.rollback();
                    assertThat(database.number("SELECT COUNT(*) FROM invoice")).isZero();
                }
                assertThat(sequences.store().describe("invoice_id").nextValue())
                        .isEqualTo(database.number("SELECT COUNT(*) FROM invoice") + 1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"ATOMIKOS, POSTGRESQL", "ATOMIKOS, MARIADB", "NARAYANA, POSTGRESQL", "NARAYANA, MARIADB"})
    void threads_whose_transactions_partly_roll_back_leave_no_gap(Manager manager, Engine engine) throws Exception {
        Database database = withInvoices(engine);
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (JdbcSequences sequences = JdbcSequences.keeping(database.dataSource(), 2, settings -> {})) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 36; i++) {
                boolean commits = i % 3 != 0;
                all.add(threads.submit(() -> {
                    transactions.begin();
                    try (Connection connection = source.getConnection()) {
                        insert(connection, invoices.next(connection));
                    } finally {
                        if (commits) {
                            transactions.commit();
                        } else {
                            transactions.rollback();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertRows(database, 24);
    }

    @ParameterizedTest
    @EnumSource(names = {"ATOMIKOS", "NARAYANA"})
    void a_commit_in_two_phases_keeps_the_number(Manager manager) throws Exception {
        Database database = withInvoices(Engine.MARIADB);
        Database second = withInvoices(Engine.MARIADB);
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        DataSource other = source(manager, second);
        try (JdbcSequences sequences = JdbcSequences.open(database.url())) {
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            for (boolean commits : new boolean[] {true, false, true}) {
                transactions.begin();
                try (Connection connection = source.getConnection();
                        Connection copy = other.getConnection()) {
                    long number = invoices.next(connection);
                    insert(connection, number);
                    insert(copy, number);
                }
                if (commits) {
                    transactions.commit();
                } else {
                    transactions.rollback();
                }
            }
        }
        assertRows(database, 2);
        assertRows(second, 2);
    }

    @ParameterizedTest
    @CsvSource({"ATOMIKOS, POSTGRESQL", "ATOMIKOS, MARIADB", "NARAYANA, POSTGRESQL", "NARAYANA, MARIADB"})
    void a_store_over_the_managers_data_source_never_draws_in_a_transaction(Manager manager, Engine engine)
            throws Exception {
        Database database = withInvoices(engine);
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        try (JdbcSequences sequences = JdbcSequences.open(source)) {
            Sequence orders = sequences.open("order_id", Allocation.async());
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            transactions.begin();
            assertThat(orders.next()).isEqualTo(1);
            transactions.rollback();
            assertThat(orders.next()).isEqualTo(2);

            // Atomikos cannot lend two of the MariaDB driver's connections in one transaction, to anyone.
            if (manager != Manager.ATOMIKOS || engine != Engine.MARIADB) {
                transactions.begin();
                assertThatThrownBy(() -> sequences.ordered("ticket_id"))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("outside JTA");
                transactions.rollback();
                assertThat(sequences.ordered("ticket_id").next()).isEqualTo(1);
            }

            transactions.begin();
            assertThatThrownBy(() -> sequences.inTransaction(connection -> {
                        insert(connection, invoices.next(connection));
                        return 1;
                    }))
                    .isInstanceOf(SequenceException.class);
            transactions.rollback();
            assertThat(database.number("SELECT COUNT(*) FROM invoice")).isEqualTo(0);
            assertThat(sequences.<Long, SQLException>inTransaction(invoices::next))
                    .isEqualTo(1);
        }
    }

    /** A transaction manager may add a connection that was taken before to the caller's transaction. */
    @ParameterizedTest
    @CsvSource({
        "ATOMIKOS, POSTGRESQL",
        "ATOMIKOS, MARIADB",
        "NARAYANA, POSTGRESQL",
        "NARAYANA, MARIADB",
        "NARAYANA_LOCAL, POSTGRESQL",
        "NARAYANA_LOCAL, MARIADB"
    })
    void a_rollback_takes_nothing_back_that_was_drawn_outside_the_transaction(Manager manager, Engine engine)
            throws Exception {
        Database database = withInvoices(engine);
        TransactionManager transactions = transactions(manager);
        DataSource source = source(manager, database);
        try (JdbcSequences sequences = JdbcSequences.keeping(source, 1, settings -> {})) {
            Sequence first = sequences.unique("first_id");
            List<Long> drawn = new ArrayList<>();
            drawn.add(first.next());
            for (int i = 0; i < 3; i++) {
                transactions.begin();
                assertThatThrownBy(() -> sequences.store().reserve("first_id", 1))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("outside JTA");
                assertThatThrownBy(() -> sequences.unique("other_id"))
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("outside JTA");
                drawn.add(first.next()); // from memory
                transactions.rollback();
                drawn.add(sequences.store().reserve("first_id", 1).block().first());
            }
            assertThat(drawn).doesNotHaveDuplicates();
            assertThat(sequences.unique("other_id").next()).isEqualTo(1);
        }
    }
}
