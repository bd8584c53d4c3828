// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.seriatim.hibernate.Seriatim;
import dev.seriatim.hibernate.SeriatimNumber;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The application's sequences reach the right entity managers, seen by an entity with an identifier and a number. */
@Timeout(60)
@Tag("long")
class EntityManagersTest {

    private final Database database = Engine.POSTGRESQL.freshDatabase();

    @Entity(name = "thing")
    static class Thing {
        @Id
        @Seriatim
        @Nullable
        Long id;

        @SeriatimNumber
        @Nullable
        Long number;
    }

    static class Entities {
        @Bean
        PersistenceManagedTypes persistenceManagedTypes() {
            return PersistenceManagedTypes.of(Thing.class.getName());
        }
    }

    private ConfigurableApplicationContext start(Class<?> type, String... arguments) {
        return start("update", type, arguments);
    }

    private ConfigurableApplicationContext start(String schema, Class<?> type, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.jpa.hibernate.ddl-auto=" + schema);
        return ApplicationTest.start(type, database, all.toArray(String[]::new));
    }

    private static long persist(ConfigurableApplicationContext shop, @Nullable String tenant) {
        SessionFactory factory = shop.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
        var options = factory.withOptions();
        if (tenant != null) {
            options.tenantIdentifier((Object) tenant);
        }
        try (Session session = options.openSession()) {
            Thing thing = new Thing();
            session.beginTransaction();
            session.persist(thing);
            session.getTransaction().commit();
            return Objects.requireNonNull(thing.number);
        }
    }

    private static @Nullable Object passed(ConfigurableApplicationContext shop) {
        return shop.getBean(EntityManagerFactory.class).getProperties().get("seriatim.sequences");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Tenants extends Entities {
        @Bean
        static BeanPostProcessor tenants(ObjectProvider<DataSource> source) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof LocalContainerEntityManagerFactoryBean factory) {
                        factory.getJpaPropertyMap()
                                .put("hibernate.multi_tenant_connection_provider", new Schemas(source.getObject()));
                    }
                    return bean;
                }
            };
        }
    }

    @Test
    void tenants_with_connections_of_their_own_have_sequences_of_their_own() throws SQLException {
        for (String tenant : new String[] {"red", "blue"}) {
            database.execute(
                    "CREATE SCHEMA " + tenant,
                    "CREATE TABLE " + tenant + ".thing (id BIGINT PRIMARY KEY, number BIGINT)");
        }
        try (ConfigurableApplicationContext shop = start(Tenants.class)) {
            assertThat(persist(shop, "red")).isEqualTo(1);
            assertThat(persist(shop, "blue")).isEqualTo(1);
            assertThat(persist(shop, "red")).isEqualTo(2);
        }
    }

    @SuppressWarnings("serial")
    record Schemas(DataSource source) implements MultiTenantConnectionProvider<String> {

        @Override
        public Connection getAnyConnection() throws SQLException {
            return source.getConnection();
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            Connection connection = source.getConnection();
            connection.setSchema(tenant);
            return connection;
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.setSchema("public");
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    /** The property that Boot gives its own pool, under the name that HikariCP has for it. */
    static class Pool extends HikariDataSource {
        public void setUrl(String url) {
            setJdbcUrl(url);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Lazy extends Entities {
        @Bean
        @ConfigurationProperties("spring.datasource")
        Pool pool() {
            return new Pool();
        }

        @Bean
        @Primary
        DataSource lazy(Pool pool) {
            return new LazyConnectionDataSourceProxy(pool);
        }
    }

    @Test
    void wrappers_of_the_same_pool_are_the_same() {
        for (String source : new String[] {"pool", "lazy"}) {
            try (ConfigurableApplicationContext shop = start(Lazy.class, "--seriatim.data-source=" + source)) {
                assertThat(passed(shop)).isSameAs(shop.getBean(JdbcSequences.class));
                persist(shop, null);
            }
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Replicas extends Entities {
        @Bean
        @ConfigurationProperties("spring.datasource")
        Pool writer() {
            return new Pool();
        }

        @Bean
        @Primary
        AbstractRoutingDataSource routing(Pool writer) {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return TransactionSynchronizationManager.isCurrentTransactionReadOnly() ? "replica" : "writer";
                }
            };
            routing.setTargetDataSources(
                    Map.of("writer", writer, "replica", new LazyConnectionDataSourceProxy(writer)));
            return routing;
        }
    }

    @Test
    void a_router_to_the_chosen_data_source_gets_its_sequences() {
        try (ConfigurableApplicationContext shop = start(Replicas.class, "--seriatim.data-source=writer")) {
            assertThat(passed(shop)).isSameAs(shop.getBean(JdbcSequences.class));
            assertThat(persist(shop, null)).isEqualTo(1);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Afterwards extends Entities {
        @Bean
        @DependsOn("entityManagerFactory")
        JdbcSequences sequences(DataSource source) {
            return JdbcSequences.open(source);
        }
    }

    @Test
    void sequences_that_need_the_entity_managers_are_not_passed_to_them() {
        try (ConfigurableApplicationContext shop = start(Afterwards.class)) {
            assertThat(passed(shop)).isNull();
            assertThat(persist(shop, null)).isEqualTo(1);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Own extends Entities {
        @Bean
        JdbcSequences sequences(DataSource source) {
            return JdbcSequences.open(source);
        }
    }

    @Test
    void sequences_that_the_application_has_made_are_passed_unless_it_is_switched_off() {
        try (ConfigurableApplicationContext shop = start(Own.class)) {
            assertThat(passed(shop)).isSameAs(shop.getBean(JdbcSequences.class));
            assertThat(persist(shop, null)).isEqualTo(1);
        }
        try (ConfigurableApplicationContext shop = start(Own.class, "--seriatim.enabled=false")) {
            assertThat(passed(shop)).isNull();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop extends Entities {}

    @Test
    void where_hibernate_does_not_create_the_properties_do() throws SQLException {
        database.execute("CREATE TABLE thing (id BIGINT PRIMARY KEY, number BIGINT)");
        for (String schema : new String[] {"validate", "none"}) {
            assertThatThrownBy(() -> start(schema, Shop.class, "--seriatim.create-missing=true"))
                    .hasStackTraceContaining(
                            "'thing_id', 'thing_number'; run 'seriatim create thing_id thing_number --store jdbc:");
        }
        try (ConfigurableApplicationContext shop = start(
                "validate",
                Shop.class,
                "--seriatim.sequences.thing_id.cache=10",
                "--seriatim.sequences.thing_number.start-with=7")) {
            assertThat(persist(shop, null)).isEqualTo(7);
        }
    }

    @Test
    void those_of_a_url_are_passed_only_if_it_leads_to_the_same_place() {
        Database elsewhere = Engine.POSTGRESQL.freshDatabase();
        try (ConfigurableApplicationContext shop = start(Shop.class, "--seriatim.url=" + elsewhere.url())) {
            assertThat(passed(shop)).isNull();
            assertThat(persist(shop, null)).isEqualTo(1);
        }
        try (ConfigurableApplicationContext shop = start(Shop.class, "--seriatim.url=" + database.url())) {
            assertThat(passed(shop)).isSameAs(shop.getBean(JdbcSequences.class));
            assertThat(persist(shop, null)).isEqualTo(2);
        }
    }

    /** Returns whether entity managers of the source get the sequences that the application has made. */
    private static boolean isPassed(Database ofSequences, DataSource source) {
        boolean[] passed = new boolean[1];
        Boot.runner()
                .withBean(JdbcSequences.class, () -> JdbcSequences.open(ofSequences.dataSource()))
                .run(context -> {
                    LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
                    unit.setDataSource(source);
                    context.getBean("seriatimEntityManagers", BeanPostProcessor.class)
                            .postProcessBeforeInitialization(unit, "unit");
                    passed[0] = unit.getJpaPropertyMap().containsKey("seriatim.sequences");
                });
        return passed[0];
    }

    @Test
    void those_of_another_database_or_schema_are_not_passed() {
        assertThat(isPassed(database, database.dataSource())).isTrue();
        assertThat(isPassed(database, Engine.POSTGRESQL.freshDatabase().dataSource()))
                .isFalse();
        assertThat(isPassed(
                        database, database.option("currentSchema", "pg_catalog").dataSource()))
                .isFalse();
    }

    @Test
    void a_data_source_that_leads_to_several_databases_has_sequences_of_its_own() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "here";
            }
        };
        routing.setTargetDataSources(Map.of("here", database.dataSource()));
        routing.afterPropertiesSet();
        assertThat(isPassed(database, routing)).isFalse();
    }

    @Test
    void a_data_source_that_does_not_answer_has_sequences_of_its_own() {
        assertThat(isPassed(database, database.at("localhost:1").dataSource())).isFalse();
        assertThat(isPassed(database, new DelegatingDataSource())).isFalse(); // throws no SQLException
    }

    @Test
    void a_place_is_that_of_the_connections_that_lead_there() throws SQLException {
        String url = database.location();
        assertThat(place(url, database)).isNotNull().isEqualTo(place(database.url(), database));
        assertThat(place(url + "?ApplicationName=other", database)).isNotEqualTo(place(url, database));
        assertThat(SequenceConnections.place(Engine.H2.freshDatabase().dataSource()))
                .isNotNull();
        assertThat(SequenceConnections.place(new DriverManagerDataSource("jdbc:h2:mem:")))
                .isNull();
        assertThat(SequenceConnections.place(new DriverManagerDataSource("jdbc:sqlite::memory:")))
                .isNull();
    }

    private static @Nullable String place(String url, Database database) throws SQLException {
        return SequenceConnections.place(new DriverManagerDataSource(url, database.user(), database.password()));
    }
}
