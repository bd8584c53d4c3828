// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Sequences;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.memory.InMemorySequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** An application that cannot start says why in one line, and what to do in another, without secrets. */
@Timeout(60)
class StartUpFailureTest {

    private static final String PASSWORD = "sEcReT-47";

    private final Database h2 = Engine.H2.freshDatabase();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seriatim.patience=soon                      | seriatim.patience=soon (\"seriatim.patience\" from property source \"test\") is not a Duration. | Correct the value.
            seriatim.patience=-1s                       | seriatim.patience=-1000ms is not positive. | Set it to a time such as 10s.
            seriatim.health-timeout=0                   | seriatim.health-timeout=0ms is not positive. | Set it to a time such as 10s.
            seriatim.connections=-1                     | seriatim.connections=-1 is not a number of connections. | Set it to 1 or more, or to application to draw from the application's pool.
            seriatim.connections=many                   | seriatim.connections=many is not a number of connections. | Set it to 1 or more, or to application to draw from the application's pool.
            seriatim.patiense=1s                        | unknown or empty property seriatim.patiense (\"seriatim.patiense\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.sequences.order.start=1            | unknown or empty property seriatim.sequences.order.start (\"seriatim.sequences.order.start\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.sequences.order.increment-by=0     | sequence 'order': the increment must not be 0. | Use a positive one to count up, a negative one to count down.
            seriatim.sequences.order.increment-by=one   | seriatim.sequences.order.increment-by=one (\"seriatim.sequences.order.increment-by\" from property source \"test\") is not a Long. | Correct the value.
            seriatim.table=a-b                          | the table 'a-b' is not a plain identifier. | Use at most 63 letters, digits and _, not starting with a digit.
            seriatim.data-source=other                  | seriatim.data-source=other is not a data source. | Set it to one of 'dataSource'.
            seriatim.data-source=jdbc:x://h/d?password=pw | seriatim.data-source is a URL, and not the name of a data source. | Set seriatim.url to it instead.
            seriatim.create-missing=perhaps             | seriatim.create-missing=perhaps (\"seriatim.create-missing\" from property source \"test\") is not a Boolean. | Correct the value.
            seriatim.patience=                          | unknown or empty property seriatim.patience (\"seriatim.patience\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.health-timeout=                    | unknown or empty property seriatim.health-timeout (\"seriatim.health-timeout\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.sequences.order_id.start-with=     | unknown or empty property seriatim.sequences.order_id.start-with (\"seriatim.sequences.order_id.start-with\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.sequences.order_id.start=          | unknown or empty property seriatim.sequences.order_id.start (\"seriatim.sequences.order_id.start\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.cache=                             | unknown or empty property seriatim.cache (\"seriatim.cache\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.patience.a=                        | unknown or empty property seriatim.patience.a (\"seriatim.patience.a\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.sequences=1                        | seriatim.sequences=1 (\"seriatim.sequences\" from property source \"test\") is not a Map. | Correct the value.
            seriatim.sequences.order_id=1000            | seriatim.sequences.order_id is not a Definition. | Correct the value.
            seriatim.sequences[a.b]=1                   | seriatim.sequences[a.b] is not a Definition. | Correct the value.
            seriatim.sequences.order_id.max-value=9223372036854775808 | seriatim.sequences.order_id.max-value=9223372036854775808 (\"seriatim.sequences.order_id.max-value\" from property source \"test\") is not a Long. | Correct the value.
            seriatim.couchbase=numbers                  | seriatim.couchbase is not a Couchbase. | Correct the value.
            seriatim.couchbase.bucked=numbers           | unknown or empty property seriatim.couchbase.bucked (\"seriatim.couchbase.bucked\" from property source \"test\"). | Correct its name, give it a value, or remove it.
            seriatim.create-missing=                    | seriatim.create-missing= (\"seriatim.create-missing\" from property source \"test\") is not a Boolean. | Correct the value.
            """)
    void a_wrong_property(String property, String cause, String remedy) {
        assertThat(failure(Boot.pooled(h2).withPropertyValues(property)))
                .isEqualTo("Seriatim: " + cause + "\n" + remedy);
    }

    @Test
    void a_url_and_what_is_for_a_data_source() {
        ApplicationContextRunner runner = Boot.runner().withPropertyValues("seriatim.url=jdbc:h2:mem:x");
        assertThat(failure(runner.withPropertyValues("seriatim.data-source=other")))
                .isEqualTo("Seriatim: seriatim.url and seriatim.data-source both say where the sequences are.\n"
                        + "Remove one of them.");
        assertThat(failure(runner.withPropertyValues("seriatim.couchbase.bucket=numbers")))
                .isEqualTo("Seriatim: seriatim.url and seriatim.couchbase.bucket both say where the sequences are.\n"
                        + "Remove one of them.");
        assertThat(failure(runner.withPropertyValues("seriatim.table=other")))
                .startsWith("Seriatim: seriatim.table=other is for a data source.\n");
        assertThat(failure(Boot.runner().withPropertyValues("seriatim.url=memory:")))
                .startsWith("Seriatim: seriatim.url names ")
                .hasLineCount(2);
    }

    @Test
    void nothing_to_take_sequences_from() {
        ApplicationContextRunner early = Boot.runner().withBean(SeriatimAutoConfigurationTest.Early.class);
        assertThat(failure(early))
                .startsWith(
                        "Seriatim: there is no bean of type dev.seriatim.Sequences for: Parameter 0 of constructor in ")
                .contains(
                        "$Early.\nDefine a data source or set seriatim.url (JdbcSequences); or set seriatim.couchbase.bucket")
                .hasLineCount(2);
        assertThat(withoutSequences("seriatim.enabled", "false")
                        .analyze(new NoSuchBeanDefinitionException(JdbcSequences.class))
                        .getAction())
                .isEqualTo("Set seriatim.enabled=true.");
        assertThat(withoutSequences("seriatim.enabled", "perhaps")
                        .analyze(new NoSuchBeanDefinitionException(JdbcSequences.class))
                        .getAction())
                .startsWith("Define a data source ");
        assertThat(withoutSequences("seriatim.couchbase.bucket", "couchbase://user:" + PASSWORD + "@host/shop")
                        .analyze(new NoSuchBeanDefinitionException(JdbcSequences.class))
                        .getAction())
                .startsWith("Inject dev.seriatim.Sequences, and add what is missing for seriatim.couchbase.bucket: ")
                .doesNotContain(PASSWORD);
        for (NoSuchBeanDefinitionException other : List.of(
                new NoSuchBeanDefinitionException(List.class),
                new NoUniqueBeanDefinitionException(Sequences.class, "one", "two"))) {
            assertThat(withoutSequences("seriatim.enabled", "false").analyze(other))
                    .isNull();
        }
    }

    @Test
    void a_wrong_property_of_the_health_of_the_applications_own_sequences() {
        ApplicationContextRunner own =
                Boot.runner().withBean(StoreSequences.class, () -> StoreSequences.of(new InMemoryStore()));
        assertThat(failure(own.withPropertyValues("seriatim.health-timeout=0")))
                .isEqualTo("Seriatim: seriatim.health-timeout=0ms is not positive.\nSet it to a time such as 10s.");
        assertThat(failure(own.withPropertyValues("seriatim.health-timeout=soon")))
                .endsWith(" is not a Duration.\nCorrect the value.");
        own.withPropertyValues("seriatim.database=ours", "seriatim.patience=fast")
                .run(context -> assertThat(context)
                        .as("the other properties are the application's own, too")
                        .hasNotFailed());
    }

    @Test
    void sequences_of_another_type() {
        assertThat(failure(Boot.pooled(h2).withBean(NeedsOthers.class)))
                .startsWith("Seriatim: there is no bean of type dev.seriatim.memory.InMemorySequences for: ")
                .endsWith(
                        "$NeedsOthers.\nInject dev.seriatim.jdbc.JdbcSequences, the type of bean 'seriatimSequences', or"
                                + " define a bean of type dev.seriatim.memory.InMemorySequences.");
    }

    record NeedsOthers(InMemorySequences sequences) {}

    /** As an aspect makes one. */
    @Test
    void sequences_behind_a_proxy() {
        assertThat(failure(Boot.runner()
                        .withBean(
                                "ours",
                                Sequences.class,
                                () -> ProxyFactory.getProxy(
                                        Sequences.class,
                                        new SingletonTargetSource(StoreSequences.of(new InMemoryStore()))))
                        .withBean(NeedsOthers.class)))
                .contains("\nInject dev.seriatim.Sequences, the type of bean 'ours', or define ");
    }

    @Test
    void a_slice_of_tests_that_leaves_the_auto_configuration_out() {
        assertThat(failure(Boot.slice()
                        .withBean(DataSource.class, h2::dataSource)
                        .withBean(SeriatimAutoConfigurationTest.Early.class)))
                .startsWith("Seriatim: there is no bean of type dev.seriatim.Sequences for: ")
                .endsWith(
                        "\nAdd @ImportAutoConfiguration(SeriatimAutoConfiguration.class), which a test slice leaves out, or"
                                + " define a bean of that type.");
    }

    @Test
    void a_qualifier_that_no_sequences_have() {
        assertThat(failure(Boot.pooled(h2).withBean(NeedsQualified.class)))
                .startsWith("Seriatim: no bean of type dev.seriatim.Sequences has the qualifier for: Parameter 0 ")
                .endsWith("$NeedsQualified.\nRemove the qualifier, or name one of 'seriatimSequences'.");
    }

    static final class NeedsQualified {
        NeedsQualified(@Qualifier("other") Sequences sequences) {}
    }

    private static NoSequencesFailureAnalyzer withoutSequences(String property, String value) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(property, value)));
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("ours", new SeriatimAutoConfiguration());
        return new NoSequencesFailureAnalyzer(environment, beans);
    }

    @Test
    void several_data_sources() {
        assertThat(failure(Boot.runner().withUserConfiguration(SeriatimAutoConfigurationTest.TwoSources.class)))
                .isEqualTo("Seriatim: the application has several data sources, 'ours', 'second'.\n"
                        + "Set seriatim.data-source to the one whose database holds the sequences.");
    }

    @Test
    void missing_sequences_that_must_not_be_created() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        ApplicationContextRunner checking = Boot.pooled(database)
                .withPropertyValues(
                        "seriatim.create-missing=false",
                        "seriatim.sequences.order_id.cache=1",
                        "seriatim.sequences.invoice_id.start-with=1",
                        "seriatim.sequences.receipt_id.cache=1");
        assertThat(failure(checking))
                .isEqualTo("Seriatim: sequences 'invoice_id', 'order_id', 'receipt_id' not found in PostgreSQL,"
                        + " table seriatim_sequence of " + database.location() + ".\n"
                        + "Create them with 'seriatim create invoice_id order_id receipt_id --store URL' (with --print, it"
                        + " prints a migration), or set seriatim.create-missing=true.");
        Boot.pooled(database)
                .withPropertyValues("seriatim.sequences.order_id.cache=1")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(failure(checking)).startsWith("Seriatim: sequences 'invoice_id', 'receipt_id' not found in ");
        checking.withPropertyValues("seriatim.create-missing=true")
                .run(context -> assertThat(context).hasNotFailed());
        checking.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_database_that_does_not_answer() {
        assertThat(failure(Boot.pooled(Engine.POSTGRESQL.freshDatabase().at("localhost:1"))))
                .startsWith("Seriatim: ")
                .contains("localhost:1")
                .hasLineCount(2);
        assertThat(failure(Boot.runner()
                        .withBean(
                                DataSource.class,
                                () -> new TestSource(
                                        Engine.POSTGRESQL.freshDatabase().at("localhost:1")))))
                .startsWith("Seriatim: ")
                .contains("localhost:1")
                .hasLineCount(2);
    }

    @Test
    void a_wrong_password() {
        Database database = Engine.POSTGRESQL.freshDatabase();
        assertThat(failure(Boot.pooled(database.as("nobody_here", PASSWORD))))
                .startsWith("Seriatim: ")
                .contains("nobody_here")
                .doesNotContain(PASSWORD)
                .hasLineCount(2);
    }

    @Test
    void a_user_who_may_only_read() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String user = "reader_" + ProcessHandle.current().pid() + (Boot.is4() ? "_4" : "");
        Boot.pooled(database)
                .withPropertyValues("seriatim.sequences.other.cache=1")
                .run(context -> assertThat(context).hasNotFailed());
        database.execute(
                "CREATE ROLE " + user + " LOGIN PASSWORD '" + PASSWORD + "'",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + user);
        try {
            assertThat(failure(Boot.pooled(database.as(user, PASSWORD))
                            .withPropertyValues("seriatim.sequences.order.cache=1")))
                    .startsWith("Seriatim: this user may not use table seriatim_sequence of ")
                    .contains("\nTo draw: GRANT SELECT, UPDATE ON ", "GRANT INSERT, DELETE ON ")
                    .doesNotContain(PASSWORD)
                    .hasLineCount(2);
        } finally {
            database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    private static String failure(ApplicationContextRunner runner) {
        String[] lines = new String[1];
        runner.run(context -> {
            assertThat(context).hasFailed();
            lines[0] = Boot.lines(context.getStartupFailure());
        });
        return Objects.requireNonNull(lines[0]);
    }
}
