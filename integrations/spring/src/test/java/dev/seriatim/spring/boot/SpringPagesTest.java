// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedProgram;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the page's types and beans as parts of applications, and starts each twice on the same database. */
class SpringPagesTest {

    private static final String IMPORTS = """
            package shop;
            import dev.seriatim.Sequence;
            import dev.seriatim.jdbc.JdbcSequences;
            import dev.seriatim.spring.*;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.context.annotation.Bean;
            """;
    private static final String TABLE =
            "\"CREATE TABLE IF NOT EXISTS invoice (id BIGINT PRIMARY KEY, number BIGINT UNIQUE)\"";

    private final Database database = Engine.POSTGRESQL.freshDatabase();

    @TempDir
    private Path folder;

    @Test
    @Tag("long")
    @DisabledIfSystemProperty(named = "seriatim.test.r2dbc", matches = "true")
    void jpa_in_grouped_transactions() {
        drawsAgain(
                Fence.of("java spring-jpa").get(0),
                """
                import jakarta.persistence.*;
                import javax.sql.DataSource;
                @Entity class Invoice {
                    @Id long number;
                }
                """,
                """
                GaplessNumbers numbers = shop.getBean(GaplessNumbers.class);
                EntityManager entities = org.springframework.orm.jpa.SharedEntityManagerCreator
                        .createSharedEntityManager(shop.getBean(EntityManagerFactory.class));
                System.out.println(shop.getBean(GroupedTransactions.class).<Long>execute(status -> {
                    Invoice invoice = new Invoice();
                    invoice.number = numbers.next();
                    entities.persist(invoice);
                    return invoice.number;
                }));
                System.out.println(new org.springframework.jdbc.core.JdbcTemplate(shop.getBean(DataSource.class))
                        .queryForObject("SELECT count(*) FROM invoice", Long.class));
                """,
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.datasource.url=" + database.url());
    }

    @Test
    @Tag("long")
    @DisabledIfSystemProperty(named = "seriatim.test.r2dbc", matches = "true")
    void spring_data_jdbc() {
        drawsAgain(
                Fence.of("java spring-data-jdbc").get(0),
                """
                import javax.sql.DataSource;
                import org.springframework.data.annotation.Id;
                import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
                import org.springframework.data.repository.CrudRepository;
                """,
                """
                shop.getBean(org.springframework.jdbc.core.JdbcTemplate.class).execute(%s);
                Invoice saved = shop.getBean(Invoices.class).save(new Invoice(null, null));
                System.out.println(saved.number());
                System.out.println(shop.getBean(Invoices.class).findById(saved.id()).get().number());
                """.formatted(TABLE),
                "spring.datasource.url=" + database.url());
    }

    @Test
    @Tag("long")
    @Tag("r2dbc")
    @EnabledIfSystemProperty(named = "seriatim.test.r2dbc", matches = "true")
    void spring_data_r2dbc() throws SQLException {
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.install();
        }
        String user = "r2dbc_" + ProcessHandle.current().pid();
        database.execute(
                // As by default: the driver refuses the one iteration of the test's server, where there is the setting.
                "DO $$ BEGIN PERFORM set_config('scram_iterations', '4096', false);"
                        + " EXCEPTION WHEN OTHERS THEN NULL; END $$",
                "CREATE ROLE " + user + " LOGIN PASSWORD 'secret' IN ROLE \"" + database.user() + "\"");
        try {
            drawsAgain(
                    Fence.of("java spring-data-r2dbc").get(0),
                    """
                    import org.springframework.data.annotation.Id;
                    import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
                    import org.springframework.data.r2dbc.repository.R2dbcRepository;
                    import org.springframework.r2dbc.core.DatabaseClient;
                    import org.springframework.transaction.reactive.TransactionalOperator;
                    import reactor.core.publisher.Mono;
                    """,
                    """
                    shop.getBean(DatabaseClient.class).sql(%s).then().block();
                    Invoices invoices = shop.getBean(Invoices.class);
                    Invoice undone = shop.getBean(TransactionalOperator.class).execute(status -> {
                        status.setRollbackOnly();
                        return invoices.save(new Invoice(null, null));
                    }).blockFirst();
                    Invoice saved = invoices.save(new Invoice(null, null)).block();
                    if (!saved.number().equals(undone.number()) || saved.id().equals(undone.id())) {
                        throw new AssertionError(saved + " after " + undone);
                    }
                    System.out.println(saved.number());
                    System.out.println(invoices.findById(saved.id()).block().number());
                    """.formatted(TABLE),
                    "spring.r2dbc.url="
                            + database.location()
                                    .replace("jdbc:postgresql://", "r2dbc:postgresql://" + user + ":secret@"),
                    "seriatim.url=" + database.url());
        } finally {
            database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    @Test
    @Tag("long")
    @DisabledIfSystemProperty(named = "seriatim.test.r2dbc", matches = "true")
    void outbox() {
        FencedProgram shop =
                shop(Fence.of("java spring-feeds").get(0), """
                import dev.seriatim.feed.*;
                import java.time.Duration;
                import javax.sql.DataSource;
                import org.springframework.beans.factory.annotation.Autowired;
                import org.springframework.jdbc.datasource.DataSourceUtils;
                import org.springframework.stereotype.*;
                import org.springframework.transaction.annotation.Transactional;
                """, """
                shop.getBean(Orders.class).place("4711");
                Outbox outbox = shop.getBean(Outbox.class);
                outbox.reader("broker").await(outbox.feed().settle(), Duration.ofSeconds(60));
                System.out.println(outbox.feed().last());
                """, "spring.datasource.url=" + database.url());
        assertThat(shop.run(Map.of())).isEqualTo(List.of("4711placed{}", "1"));
        assertThat(shop.run(Map.of())).isEqualTo(List.of("4711placed{}", "2"));
    }

    /** The statements end with two that print the number of an invoice, drawn and as stored. */
    private void drawsAgain(Fence page, String imports, String statements, String... properties) {
        FencedProgram shop = shop(page, imports, statements, properties);
        assertThat(shop.run(Map.of())).isEqualTo(List.of("1", "1"));
        assertThat(shop.run(Map.of())).isEqualTo(List.of("2", "2"));
    }

    private FencedProgram shop(Fence page, String imports, String statements, String... properties) {
        int bean = page.text().indexOf("@Bean");
        String program = IMPORTS + imports + "@SpringBootApplication\npublic class Shop {\n"
                + page.text().substring(bean)
                + "public static void main(String[] arguments) {\n"
                + "try (var shop = SpringApplication.run(Shop.class, \"--spring.main.banner-mode=off\", \"--"
                + String.join("\", \"--", properties) + "\")) {\n" + statements + "}\n}\n}\n"
                + page.text().substring(0, bean);
        Fence whole = new Fence(page.page(), page.line(), page.kind(), program);
        FencedProgram compiled = FencedProgram.compile(whole, folder);
        return new FencedProgram(whole, folder, "shop." + compiled.mainClass());
    }
}
