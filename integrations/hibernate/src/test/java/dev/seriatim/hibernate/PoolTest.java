// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.Allocation;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.CrowdedPool;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** One thread for each connection of the pool; each holds it in a transaction, and then persists. */
class PoolTest {

    private static final int SIZE = 8;

    @Entity
    @Table(name = "parcel")
    static class Parcel {
        @Id
        @Seriatim(guarantee = Guarantee.ORDERED)
        long id;
    }

    private static HikariDataSource pool(Database database, boolean overDataSource) {
        HikariConfig config = new HikariConfig();
        if (overDataSource) {
            config.setDataSource(database.dataSource());
        } else {
            config.setJdbcUrl(database.location());
            config.setUsername(database.user());
            config.setPassword(database.password());
        }
        config.setMaximumPoolSize(SIZE);
        config.setConnectionTimeout(3_000);
        return new HikariDataSource(config);
    }

    private static Map<String, Object> settings(HikariDataSource pool) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.connection.datasource", pool);
        settings.put("hibernate.hbm2ddl.auto", "update");
        return settings;
    }

    private static void persist(SessionFactory factory) throws Exception {
        persist(factory, 5);
    }

    /** In each round, all transactions hold a connection before the first persists. */
    private static void persist(SessionFactory factory, int rounds) throws Exception {
        CyclicBarrier allHoldOne = new CyclicBarrier(SIZE);
        Threads.<Void>run(SIZE, thread -> () -> {
            for (int i = 0; i < rounds; i++) {
                factory.inTransaction(session -> {
                    session.doWork(PoolTest::use);
                    try {
                        allHoldOne.await(20, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new IllegalStateException("another one failed", e);
                    }
                    session.persist(new Parcel());
                });
            }
            return null;
        });
    }

    private static void use(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    private static void noDeadlock(boolean overDataSource) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (HikariDataSource pool = pool(database, overDataSource);
                SessionFactory factory = Factories.open(settings(pool), Parcel.class)) {
            persist(factory);
            assertThat(database.number("SELECT count(*) FROM parcel")).isEqualTo(5 * SIZE);
        }
    }

    @Test
    void a_pool_with_a_url_cannot_deadlock() throws Exception {
        noDeadlock(false);
    }

    @Test
    void a_pool_over_a_data_source_cannot_deadlock() throws Exception {
        noDeadlock(true);
    }

    @Test
    void hibernates_own_pool_cannot_deadlock() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (SessionFactory factory =
                Factories.open(Factories.settings(database, "hibernate.connection.pool_size", SIZE), Parcel.class)) {
            persist(factory);
            assertThat(database.number("SELECT count(*) FROM parcel")).isEqualTo(5 * SIZE);
        }
    }

    @Entity
    @Table(name = "article")
    static class Article {
        @Id
        @Seriatim
        long id;
    }

    @Entity
    @Table(name = "author")
    static class Author {
        @Id
        @Seriatim
        long id;
    }

    /** Two sequences, so that reservations of both run at once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void more_threads_than_connections_of_any_pool_persist(boolean hikari) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(hikari ? CrowdedPool.SIZE : CrowdedPool.SIZE + 1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            DataSource unknown = new DelegatingDataSource(pool) {
                @Override
                public boolean isWrapperFor(Class<?> type) {
                    return false;
                }
            };
            Map<String, Object> settings = settings(pool);
            settings.put("hibernate.connection.datasource", hikari ? pool : unknown);
            try (SessionFactory factory = Factories.open(settings, Article.class, Author.class)) {
                CrowdedPool.run(held -> factory.fromTransaction(session -> {
                    session.doWork(PoolTest::use);
                    held.run();
                    session.persist(new Article());
                    session.persist(new Author());
                    return 1;
                }));
            }
            assertThat(database.number("SELECT count(*) FROM article")).isEqualTo(CrowdedPool.TRANSACTIONS);
            assertThat(database.number("SELECT count(*) FROM author")).isEqualTo(CrowdedPool.TRANSACTIONS);
        }
    }

    @Test
    void draws_from_the_applications_pool_time_out() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (HikariDataSource pool = pool(database, false);
                JdbcSequences sequences =
                        JdbcSequences.borrowing(pool, settings -> settings.patience(Duration.ofSeconds(2)))) {
            Map<String, Object> settings = settings(pool);
            settings.put(SeriatimSettings.SEQUENCES, sequences);
            try (SessionFactory factory = Factories.open(settings, Parcel.class)) {
                // One round: in another, those whose turn came later would wait for those who have failed.
                assertThatThrownBy(() -> persist(factory, 1)).isInstanceOf(SequenceException.class);
            }
        }
    }

    @Test
    void the_pools_schema_is_where_the_sequences_are() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA app");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setSchema("app");
        try (HikariDataSource pool = new HikariDataSource(config);
                SessionFactory factory = Factories.open(settings(pool), Parcel.class)) {
            factory.inTransaction(session -> session.persist(new Parcel()));
            assertThat(database.number("SELECT count(*) FROM app.seriatim_sequence"))
                    .isEqualTo(1);
        }
    }

    @Test
    void properties_of_the_driver_are_passed_on() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE SCHEMA app");
        Map<String, Object> settings = Factories.settings(database, "hibernate.connection.currentSchema", "app");
        try (SessionFactory factory = Factories.open(settings, Parcel.class)) {
            factory.inTransaction(session -> session.persist(new Parcel()));
            assertThat(database.number("SELECT count(*) FROM app.parcel")).isEqualTo(1);
            assertThat(database.number("SELECT count(*) FROM app.seriatim_sequence"))
                    .isEqualTo(1);
        }
    }

    @Test
    void a_data_source_is_asked_for_the_account_of_the_settings() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.location());
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.connection.datasource", source);
        settings.put("hibernate.connection.username", database.user());
        settings.put("hibernate.connection.password", database.password());
        settings.put("hibernate.hbm2ddl.auto", "update");
        try (SessionFactory factory = Factories.open(settings, Parcel.class)) {
            factory.inTransaction(session -> session.persist(new Parcel()));
        }
        assertThat(database.number("SELECT count(*) FROM parcel")).isEqualTo(1);
    }

    @Test
    void sequences_that_are_given_stay_open() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcSequences sequences = JdbcSequences.open(database.dataSource())) {
            Map<String, Object> settings = Factories.settings(database, SeriatimSettings.SEQUENCES, sequences);
            try (SessionFactory factory = Factories.open(settings, Parcel.class)) {
                factory.inTransaction(session -> session.persist(new Parcel()));
            }
            assertThat(sequences.ordered("parcel_id").next()).isEqualTo(2);
            assertThatThrownBy(() -> sequences.open("parcel_id", Allocation.async()))
                    .hasMessageContaining("already open"); // the same sequence that the factory drew from
        }
    }
}
