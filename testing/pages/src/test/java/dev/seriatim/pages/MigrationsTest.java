// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.hibernate.Seriatim;
import dev.seriatim.hibernate.SeriatimNumber;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import dev.seriatim.servers.pages.FencedProgram;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The recipes for migrations, with Flyway and with Liquibase, and for users' tests. */
@DisabledOnOs(OS.WINDOWS)
class MigrationsTest {

    private static final String TABLE = "CREATE TABLE bill (id BIGINT PRIMARY KEY, number BIGINT);\n";

    @TempDir
    private Path folder = Path.of("");

    @Entity(name = "bill")
    static class Bill {
        @Id
        @Seriatim
        @Nullable
        Long id;

        @SeriatimNumber
        @Nullable
        Long number;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void flyway_runs_the_printed_file_and_hibernate_validates(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        Files.writeString(folder.resolve("V1__tables.sql"), TABLE);
        migrate(database);
        assertThatThrownBy(() -> bill(database)).hasMessageContaining("bill_");
        Path printed = print(database);
        migrate(database);
        assertThat(bill(database)).isEqualTo("1, 1");
        Files.copy(printed, folder.resolve("V3__again.sql"));
        migrate(database);
        assertThat(bill(database)).endsWith(", 2");
    }

    private void migrate(Database database) {
        Flyway.configure()
                .dataSource(database.location(), database.user(), database.password())
                .locations("filesystem:" + folder)
                .load()
                .migrate();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void liquibase_includes_the_printed_file_and_hibernate_validates(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        database.execute(TABLE);
        print(database);
        String changelog = Fence.of("yaml liquibase").get(0).text();
        Files.writeString(folder.resolve("changelog.yaml"), changelog);
        Files.writeString(folder.resolve("again.yaml"), changelog.replace("id: sequences", "id: again"));
        assertThatThrownBy(() -> bill(database)).hasMessageContaining("bill_");
        update(database, "changelog.yaml");
        assertThat(bill(database)).isEqualTo("1, 1");
        update(database, "again.yaml");
        assertThat(bill(database)).endsWith(", 2");
    }

    private void update(Database database, String changelog) throws Exception {
        try (Connection connection = database.connect();
                Liquibase liquibase = new Liquibase(
                        changelog, new DirectoryResourceAccessor(folder), new JdbcConnection(connection))) {
            liquibase.update(new Contexts(), new LabelExpression());
        }
    }

    @Test
    void the_application_of_another_role_names_the_owner() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String role = "app_" + database.name();
        database.execute(
                "CREATE ROLE migrator_" + role + " LOGIN PASSWORD 'x'",
                "CREATE ROLE " + role + " LOGIN PASSWORD 'x'",
                "GRANT CREATE ON SCHEMA public TO migrator_" + role);
        Database migrators = database.as("migrator_" + role, "x");
        String printed = Files.readString(print(migrators));
        migrate(migrators);
        String grants = printed.substring(printed.indexOf("-- to draw"), printed.lastIndexOf("*/"));
        migrators.execute(grants.replace("app_user", role));
        Database application = database.as(role, "x");
        assertThatThrownBy(() -> JdbcSequences.open(application.url()).close())
                .hasMessageContaining("belongs to migrator_" + role)
                .hasMessageContaining("seriatim.owner");
        String trusting =
                application.option("seriatim.owner", "migrator_" + role).url();
        try (JdbcSequences sequences = JdbcSequences.open(trusting);
                Connection connection = application.connect()) {
            assertThat(sequences.unique("bill_id").next()).isEqualTo(1);
            connection.setAutoCommit(false);
            assertThat(sequences.gapless("bill_number").pooled().next(connection))
                    .isEqualTo(1);
            connection.commit();
        }
    }

    /** Runs the page's command on a database. */
    private Path print(Database database) {
        Fence fence = Fence.of("sh").stream()
                .filter(each -> each.text().contains(" --print > "))
                .findFirst()
                .orElseThrow();
        String place = "jdbc:postgresql://HOST/DATABASE?user=USER&password=PASSWORD";
        FencedCommands commands = FencedCommands.of(fence.with(Map.of(place, database.url())));
        assertThat(commands.run(folder, Map.of()).err()).isEmpty();
        return folder.resolve("V2__sequences.sql");
    }

    /** Starts Hibernate, which validates the schema, and returns the numbers of a new bill. */
    private static String bill(Database database) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Bill.class)
                .setProperty("hibernate.connection.url", database.url())
                .setProperty("hibernate.hbm2ddl.auto", "validate");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            Bill stored = factory.fromTransaction(session -> {
                Bill bill = new Bill();
                session.persist(bill);
                session.flush();
                return bill;
            });
            return stored.id + ", " + stored.number;
        }
    }

    /** Docker is not at hand, so this is compiled, and not run. */
    @Test
    void the_test_with_a_container_compiles() {
        FencedProgram.compile(Fence.of("java testcontainers").get(0), folder);
    }

    @Test
    void the_test_without_docker_runs() {
        FencedProgram program = FencedProgram.compile(Fence.of("java tests").get(0), folder);
        assertThat(program.run(Map.of())).isEqualTo(program.expected()).isNotEmpty();
    }
}
