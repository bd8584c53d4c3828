// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.CrowdedPool;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.sqlite.SQLiteDataSource;

/** {@link JdbcSequences#open(DataSource)} over data sources of every kind. */
@Timeout(60)
class OwnConnectionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Agroal misses a connection returned between a caller's search and its wait. Only at the end of the wait does it
     * search again.
     */
    private static final Duration AGROALS_NEXT_LOOK = Duration.ofSeconds(5);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <C extends AutoCloseable> C opened(C closeable) {
        opened.add(closeable);
        return closeable;
    }

    private JdbcSequences open(DataSource source) {
        return opened(JdbcSequences.open(source, settings -> settings.patience(PATIENCE)));
    }

    private HikariDataSource hikari(Database database, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(0); // waits without end
        return opened(new HikariDataSource(config));
    }

    /** Pools other than HikariCP. */
    enum Make {
        AGROAL,
        H2,
        /** Says nothing of itself, and waits without end. */
        UNKNOWN
    }

    private DataSource pool(Make make, Database database, int size) throws SQLException {
        return switch (make) {
            case AGROAL ->
                opened(AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                        .connectionPoolConfiguration(pool -> pool.maxSize(size)
                                .acquisitionTimeout(AGROALS_NEXT_LOOK)
                                .connectionFactoryConfiguration(factory -> factory.jdbcUrl(database.url())))));
            case H2 -> {
                JdbcConnectionPool pool =
                        JdbcConnectionPool.create(database.location(), database.user(), database.password());
                pool.setMaxConnections(size);
                opened(pool::dispose);
                yield pool;
            }
            case UNKNOWN ->
                new DelegatingDataSource(hikari(database, size)) {
                    @Override
                    public boolean isWrapperFor(Class<?> type) {
                        return false;
                    }
                };
        };
    }

    private Database database(Make make) {
        return (make == Make.H2 ? Engine.H2 : Engine.POSTGRESQL).freshDatabase();
    }

    @ParameterizedTest
    @EnumSource
    void callers_who_hold_all_others_draw(Make make) throws Exception {
        DataSource pool = pool(make, database(make), CrowdedPool.SIZE + 1);
        JdbcSequences sequences = open(pool);
        assertThat(CrowdedPool.run(held -> {
                    try (Connection connection = pool.getConnection()) {
                        connection.setAutoCommit(false);
                        held.run();
                        long drawn = sequences.unique("s").next();
                        connection.commit();
                        return drawn;
                    }
                }))
                .hasSize(CrowdedPool.TRANSACTIONS)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void a_pool_of_one_is_refused_and_can_be_borrowed_from(Make make) throws Exception {
        DataSource pool = pool(make, database(make), 1);
        assertThatThrownBy(() -> open(pool))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("lends no second connection within 2000 ms")
                .hasMessageContaining("JdbcSequences.borrowing");
        JdbcSequences sequences = opened(JdbcSequences.borrowing(pool, settings -> settings.patience(PATIENCE)));
        GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
        assertThat(sequences.unique("s").next()).isEqualTo(1);
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(invoices.next(connection)).isEqualTo(1);
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void of_a_pool_of_two_the_application_has_one(Make make) throws Exception {
        DataSource pool = pool(make, database(make), 2);
        JdbcSequences sequences = open(pool);
        Sequence sequence = sequences.unique("s");
        GroupedSequence<Connection> grouped = sequences.gapless("g").grouped();
        for (int i = 1; i <= 3; i++) {
            try (Connection connection = pool.getConnection()) {
                assertThat(sequence.next()).isPositive();
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThat(grouped.<Long, RuntimeException>commit(turn -> {
                        assertThat(sequence.next()).isPositive();
                        return turn.next();
                    }))
                    .isEqualTo(i);
        }
    }

    @Test
    void a_unit_of_work_waits_for_another_pool_and_says_so() throws Exception {
        DataSource pool = pool(Make.UNKNOWN, database(Make.UNKNOWN), 2);
        GroupedSequence<Connection> grouped = open(pool).gapless("g").grouped();
        try (Connection held = pool.getConnection()) {
            assertThatThrownBy(() -> grouped.commit(turn -> turn.next()))
                    .isInstanceOf(SequenceException.class)
                    .hasMessageContaining("pool is exhausted");
            assertThat(held.isValid(1)).isTrue();
        }
        assertThat(grouped.<Long, RuntimeException>commit(turn -> turn.next())).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void beside_a_hikari_pool_of_one_every_mode_works_while_it_is_held(Engine engine) throws Exception {
        HikariDataSource pool = hikari(engine.freshDatabase(), 1);
        JdbcSequences sequences = open(pool);
        GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(sequences.unique("a").next()).isEqualTo(1);
            assertThat(sequences.ordered("b").next()).isEqualTo(1);
            assertThat(sequences.gapless("c").grouped().<Long, RuntimeException>commit(turn -> turn.next()))
                    .isEqualTo(1);
            assertThat(invoices.next(connection)).isEqualTo(1);
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void units_run_beside_a_hikari_pool_whose_callers_hold_all(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        HikariDataSource pool = hikari(database, CrowdedPool.SIZE);
        GroupedSequence<Connection> grouped = open(pool).gapless("g").grouped();
        assertThat(CrowdedPool.run(held -> {
                    try (Connection connection = pool.getConnection()) {
                        held.run();
                        assertThat(connection.isValid(5)).isTrue();
                        return grouped.<Long, RuntimeException>commit(turn -> turn.next());
                    }
                }))
                .hasSize(CrowdedPool.TRANSACTIONS)
                .doesNotHaveDuplicates()
                .allMatch(number -> number <= CrowdedPool.TRANSACTIONS);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_source_without_a_pool_keeps_one_connection(Engine engine) {
        JdbcSequences sequences = open(engine.freshDatabase().dataSource());
        Sequence sequence = sequences.ordered("s");
        assertThat(List.of(sequence.next(), sequence.next())).containsExactly(1L, 2L);
    }

    /** Whose connections each have a database of their own, which the pool's only connection must have, too. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite::memory:", "jdbc:h2:mem:"})
    void a_private_database_in_memory_stays_the_pools(String url) throws SQLException {
        SQLiteDataSource sqlite = new SQLiteDataSource();
        sqlite.setUrl(url);
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl(url);
        for (boolean byUrl : new boolean[] {true, false}) {
            HikariConfig config = new HikariConfig();
            config.setMaximumPoolSize(1);
            if (byUrl) {
                config.setJdbcUrl(url);
            } else {
                config.setDataSource(url.contains("h2") ? h2 : sqlite);
            }
            HikariDataSource pool = opened(new HikariDataSource(config));
            JdbcSequences sequences = open(pool);
            assertThat(sequences.unique("s").next()).isEqualTo(1);
            GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                assertThat(invoices.next(connection)).isEqualTo(1);
                connection.commit();
            }
        }
    }

    @Test
    void a_connection_that_all_borrowers_share_is_not_kept() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        SingleConnectionDataSource shared = new SingleConnectionDataSource(database.url(), true);
        opened(shared::destroy);
        try (JdbcSequences sequences = JdbcSequences.open(shared)) {
            assertThat(sequences.ordered("s").next()).isEqualTo(1);
            Connection connection = shared.getConnection();
            connection.setAutoCommit(false);
            assertThat(sequences.gapless("invoice_id").next(connection)).isEqualTo(1);
            assertThatThrownBy(() -> sequences.ordered("s").next()).isInstanceOf(Misconfigured.class);
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(sequences.ordered("s").next()).isEqualTo(2);
        }
        assertThat(shared.getConnection().isClosed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_proxy_that_lends_the_transactions_connection_does_not_lend_it_to_the_sequences(boolean hikari)
            throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        DataSource pool = hikari ? hikari(database, 4) : pool(Make.UNKNOWN, database, 4);
        TransactionAwareDataSourceProxy proxy = new TransactionAwareDataSourceProxy(pool);
        proxy.setReobtainTransactionalConnections(true);
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        JdbcSequences sequences = open(proxy);
        Sequence sequence = sequences.ordered("s");
        GaplessSequence<Connection> invoices = sequences.gapless("invoice_id");
        for (int i = 1; i <= 3; i++) {
            int round = i;
            transactions.executeWithoutResult(status -> {
                assertThat(sequence.next()).isEqualTo(round);
                try {
                    assertThat(invoices.next(proxy.getConnection())).isEqualTo(1);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                status.setRollbackOnly();
            });
        }
        assertThat(sequence.next()).isEqualTo(4);
    }

    /** Is a wrapper for the pool of the moment, as Spring's class of this name is. */
    private static class AbstractRoutingDataSource extends DelegatingDataSource {}

    @Test
    void a_source_that_chooses_a_database_for_each_call_is_not_kept() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource();
        DataSource here = hikari(Engine.POSTGRESQL.freshDatabase(), 2);
        routing.setTargetDataSource(here);
        Sequence sequence = open(routing).ordered("s");
        assertThat(sequence.next()).isEqualTo(1);
        routing.setTargetDataSource(hikari(Engine.POSTGRESQL.freshDatabase(), 2));
        assertThatThrownBy(sequence::next)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("a store belongs to one database");
        routing.setTargetDataSource(here);
        assertThat(sequence.next()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_pool_may_close_before_the_sequences(boolean hikari) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        DataSource pool = hikari ? hikari(database, 4) : pool(Make.AGROAL, database, 4);
        JdbcSequences sequences = JdbcSequences.open(pool, settings -> settings.giveBackOnClose(true));
        assertThat(sequences.unique("s").next()).isEqualTo(1);
        ((AutoCloseable) pool).close();
        sequences.close();
        long next = database.number("SELECT next_value FROM seriatim_sequence");
        assertThat(next).isEqualTo(hikari ? 2 : 101);
    }
}
