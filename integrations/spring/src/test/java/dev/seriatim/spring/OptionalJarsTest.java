// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcSequences;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.sqlite.SQLiteDataSource;

/** An application with JDBC alone needs neither JPA, nor Hibernate, nor Spring Data, nor another store's client. */
@Order(1)
class OptionalJarsTest {

    private static final List<String> CLASS_PATH =
            List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));

    @TempDir
    private Path folder;

    @Test
    void gapless_and_grouped_numbers_need_spring_jdbc_alone() throws Exception {
        run(jar -> jar.matches(".*(spring-orm|spring-data|persistence|hibernate|spring-context|spring-aop).*"));
    }

    @Test
    void without_spring_jdbc_the_same_program_fails() {
        assertThatThrownBy(() -> run(jar -> jar.contains("spring-jdbc"))).isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    @Tag("long")
    void a_boot_application_needs_no_client_of_another_store() throws Exception {
        Predicate<String> clients = jar -> jar.matches("(java-client|core-io|google-cloud-spanner|gax|grpc).*");
        Predicate<String> modules = entry -> entry.matches(".*[/\\\\](couchbase|spanner|feeds)[/\\\\]target[/\\\\].*");
        assertThat(CLASS_PATH).filteredOn(modules).hasSize(3);
        run(Booted.class, clients);
        run(Booted.class, clients.or(modules));
    }

    private void run(Predicate<String> missing) throws Exception {
        run(Application.class, missing);
    }

    private void run(Class<?> program, Predicate<String> missing) throws Exception {
        List<URL> jars = new ArrayList<>();
        for (String entry : CLASS_PATH) {
            if (!missing.test(new File(entry).getName()) && !missing.test(entry)) {
                jars.add(url(entry));
            }
        }
        // Not closed: that would also close the jars that the JVM caches for other tests.
        URLClassLoader loader = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        try {
            Method draw = loader.loadClass(program.getName()).getDeclaredMethod("draw", String.class);
            draw.setAccessible(true);
            draw.invoke(null, folder.resolve("numbers.db").toString());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    private static URL url(String entry) throws MalformedURLException {
        return new File(entry).toURI().toURL();
    }

    /** Runs apart from the tests' classes. */
    static final class Application {
        private Application() {}

        static void draw(String file) {
            SQLiteDataSource source = new SQLiteDataSource();
            source.setUrl("jdbc:sqlite:" + file);
            JdbcTemplate jdbc = new JdbcTemplate(source);
            jdbc.execute("CREATE TABLE invoice (number BIGINT PRIMARY KEY)");
            try (JdbcSequences sequences = JdbcSequences.open(source)) {
                GaplessNumbers numbers = GaplessNumbers.of(sequences.gapless("invoice_id"), source);
                // Spring looks at the methods of every bean.
                assertThat(GaplessNumbers.class.getDeclaredMethods()).isNotEmpty();
                assertThat(GroupedTransactions.class.getDeclaredMethods()).isNotEmpty();
                assertThat(SeriatimMaxValueIncrementer.class.getDeclaredMethods())
                        .isNotEmpty();
                new TransactionTemplate(new JdbcTransactionManager(source))
                        .executeWithoutResult(status -> jdbc.update("INSERT INTO invoice VALUES (?)", numbers.next()));
                numbers.grouped()
                        .executeWithoutResult(status -> jdbc.update("INSERT INTO invoice VALUES (?)", numbers.next()));
                assertThat(jdbc.queryForObject("SELECT MAX(number) FROM invoice", Long.class))
                        .isEqualTo(2);
            }
        }
    }

    /** The same, with what Boot configures itself. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Booted {

        static void draw(String file) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(Booted.class.getClassLoader());
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Booted.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .logStartupInfo(false)
                    .run(
                            "--spring.main.banner-mode=off",
                            "--logging.level.root=error",
                            "--spring.data.jdbc.repositories.enabled=false",
                            "--spring.datasource.url=jdbc:h2:mem:optional",
                            "--management.endpoints.web.exposure.include=sequences",
                            "--management.endpoints.jmx.exposure.include=sequences",
                            "--spring.jmx.enabled=true",
                            "--seriatim.couchbase.durability=none")) {
                assertThat(context.getBean(Sequences.class).unique("order").next())
                        .isEqualTo(1);
                assertThat(context.containsBean("seriatimHealthIndicator")).isTrue();
                assertThat(context.containsBean("seriatimSequencesEndpoint")).isTrue();
                assertThat(Booted.class.getClassLoader().getResource("com/couchbase/client/java/Cluster.class"))
                        .isNull();
                assertThat(Booted.class.getClassLoader().getResource("com/google/cloud/spanner/Spanner.class"))
                        .isNull();
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }
}
