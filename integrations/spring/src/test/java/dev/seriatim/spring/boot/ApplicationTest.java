// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.GaplessSequence;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A whole application, with everything that Boot configures itself. */
@Timeout(120)
class ApplicationTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Shop {
        /** Boot would take those of other tests, too. */
        @Bean
        PersistenceManagedTypes noEntities() {
            return PersistenceManagedTypes.of();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void unique_and_gapless_numbers(Engine engine) {
        Database database = engine.freshDatabase();
        for (int run = 0; run < 2; run++) {
            try (ConfigurableApplicationContext shop = start(database)) {
                JdbcSequences sequences = shop.getBean(JdbcSequences.class);
                assertThat(sequences.unique("order").next()).isEqualTo(run + 1);
                DataSource source = shop.getBean(DataSource.class);
                TransactionTemplate transactions =
                        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class));
                GaplessSequence<Connection> invoices = sequences.gapless("invoice");
                Long invoice = transactions.execute(status -> {
                    JdbcTemplate jdbc = new JdbcTemplate(source);
                    jdbc.execute("SELECT 1");
                    return invoices.next(DataSourceUtils.getConnection(source));
                });
                transactions.execute(status -> {
                    status.setRollbackOnly();
                    return invoices.next(DataSourceUtils.getConnection(source));
                });
                assertThat(invoice).isEqualTo(run + 1);
            }
        }
    }

    @Test
    void hibernate_has_the_sequences_also_where_scripts_wait_for_it() {
        for (String deferred : List.of("false", "true")) {
            Database database = Engine.H2.freshDatabase();
            ConfigurableApplicationContext shop =
                    start(database, "--spring.jpa.defer-datasource-initialization=" + deferred);
            JdbcSequences sequences = shop.getBean(JdbcSequences.class);
            try (shop) {
                assertThat(shop.getBean(EntityManagerFactory.class).getProperties())
                        .containsEntry("seriatim.sequences", sequences);
                assertThat(sequences.unique("order").next()).isEqualTo(1);
            }
            assertThatThrownBy(() -> sequences.unique("order")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void one_that_cannot_start_leaves_no_connection_open() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        Database shop = database.option("ApplicationName", "shop");
        assertThatThrownBy(() -> start(shop, "--seriatim.sequences.order.cache=0"))
                .hasStackTraceContaining("cache must be at least 1");
        assertThatThrownBy(() -> start(shop, "--seriatim.create-missing=false", "--seriatim.sequences.order.cache=1"))
                .hasStackTraceContaining("not found");
        long open = 1;
        for (int i = 0; i < 100 && open > 0; i++) {
            Thread.sleep(20);
            open = database.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'shop'");
        }
        assertThat(open).isZero();
    }

    static ConfigurableApplicationContext start(Database database, String... arguments) {
        return start(Shop.class, database, arguments);
    }

    static ConfigurableApplicationContext start(Class<?> type, Database database, String... arguments) {
        SpringApplication application = new SpringApplication(type);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setLogStartupInfo(false);
        List<String> all = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--logging.level.root=error",
                "--spring.data.jdbc.repositories.enabled=false"));
        all.addAll(List.of(arguments));
        if (database.url().startsWith("jdbc:sqlite:")) {
            // Hibernate has no dialect for it.
            all.add("--spring.autoconfigure.exclude=" + Boot.hibernateAutoConfiguration());
        }
        for (String setting : Boot.account(database)) {
            all.add("--" + setting);
        }
        return application.run(all.toArray(String[]::new));
    }
}
