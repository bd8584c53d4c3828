// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.couchbase.client.java.Cluster;
import com.couchbase.mock.CouchbaseMock;
import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.SequenceListener;
import dev.seriatim.Sequences;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.memory.InMemoryStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Sequences in a bucket of the application's Couchbase cluster. */
@Timeout(60)
@Tag("long")
class CouchbaseSequencesTest {

    private static final String PASSWORD = "pw";

    private static final CouchbaseMock MOCK = started();

    private static CouchbaseMock started() {
        try {
            CouchbaseMock mock = new CouchbaseMock("127.0.0.1", 0, 1, 0, 64, "default:" + PASSWORD + ":", 0);
            mock.start();
            mock.waitForStartup();
            return mock;
        } catch (IOException e) {
            throw new AssertionError("CouchbaseMock does not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while CouchbaseMock started", e);
        }
    }

    @AfterAll
    static void stop() {
        MOCK.stop();
    }

    /** Returns a runner with the cluster that Boot connects to. */
    private static ApplicationContextRunner connected() {
        return Boot.runner()
                .withConfiguration(AutoConfigurations.of(Boot.couchbaseAutoConfiguration()))
                .withPropertyValues(
                        "spring.couchbase.connection-string=couchbase://127.0.0.1:" + MOCK.getCarrierPort("default")
                                + "=kv,127.0.0.1:" + MOCK.getHttpPort() + "=manager",
                        "spring.couchbase.username=default",
                        "spring.couchbase.password=" + PASSWORD);
    }

    private static ApplicationContextRunner inBucket() {
        // The mock knows no durability.
        return connected()
                .withPropertyValues("seriatim.couchbase.bucket=default", "seriatim.couchbase.durability=none");
    }

    @Test
    void a_cluster_and_the_name_of_a_bucket_are_enough() {
        for (long first : new long[] {1, 2}) {
            inBucket().run(context -> {
                assertThat(context).hasNotFailed().hasSingleBean(StoreSequences.class);
                assertThat(context.getBean(Sequences.class)
                                .open("enough", Allocation.batch(10))
                                .next())
                        .as("the rest was given back")
                        .isEqualTo(first);
            });
        }
    }

    @Test
    void settings_reach_the_sequences() {
        List<String> reported = new CopyOnWriteArrayList<>();
        ApplicationContextRunner runner = inBucket()
                .withPropertyValues(
                        "seriatim.give-back-on-close=false",
                        "seriatim.sequences.settings.start-with=1000",
                        "seriatim.sequences.settings.cache=10")
                .withBean(SequenceListener.class, () -> new Named(reported));
        for (long first : new long[] {1000, 1010}) {
            runner.run(context -> assertThat(context.getBean(Sequences.class)
                            .open("settings", Allocation.batch(10))
                            .next())
                    .isEqualTo(first));
        }
        assertThat(reported).hasSize(2).allMatch("settings"::equals);
        inBucket()
                .withPropertyValues("seriatim.create-missing=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(failure(inBucket()
                        .withPropertyValues("seriatim.create-missing=false", "seriatim.sequences.missing.cache=1")))
                .startsWith("Seriatim: sequences 'missing' not found in ")
                .contains("bucket default");
    }

    record Named(List<String> names) implements SequenceListener {
        @Override
        public void reserved(String sequence, Block block, Duration took) {
            names.add(sequence);
        }
    }

    @Test
    void the_cluster_stays_the_applications() {
        inBucket().run(context -> {
            Sequences sequences = context.getBean(Sequences.class);
            sequences.unique("stays").next();
            sequences.close();
            assertThat(context.getBean(Cluster.class)
                            .bucket("default")
                            .defaultCollection()
                            .get("seriatim:stays")
                            .contentAsObject()
                            .getNames())
                    .isNotEmpty();
        });
    }

    @Test
    void sequences_work_until_what_uses_them_has_stopped() {
        List<Long> drawn = new ArrayList<>();
        inBucket()
                .withBean("user", SeriatimAutoConfigurationTest.User.class)
                .withPropertyValues("seriatim.sequences.order.cache=10")
                .run(context -> {
                    var user = context.getBean(SeriatimAutoConfigurationTest.User.class);
                    drawn.add(user.order.next());
                    context.close();
                    drawn.addAll(user.drawnWhileClosing);
                });
        assertThat(drawn).containsExactly(1L, 2L, 3L);
    }

    @Test
    void health_endpoint_and_meters_show_them() {
        inBucket()
                .withConfiguration(AutoConfigurations.of(Boot.metricsAutoConfiguration(), Boot.simpleMetrics()))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=sequences",
                        "management.endpoints.jmx.exposure.include=sequences",
                        "spring.jmx.enabled=true")
                .run(context -> {
                    context.getBean(Sequences.class)
                            .open("shown", Allocation.batch(10))
                            .next();
                    assertThat(ActuatorTest.health(context))
                            .startsWith("UP ")
                            .contains("Couchbase, bucket default")
                            .containsPattern("answered in=[0-9.]+ ms");
                    SequencesEndpoint.Listing listing =
                            context.getBean(SequencesEndpoint.class).sequences();
                    assertThat(listing.store()).contains("Couchbase, bucket default");
                    assertThat(listing.sequences())
                            .contains(new SequencesEndpoint.Entry(
                                    "shown",
                                    11,
                                    false,
                                    10 / (double) Long.MAX_VALUE,
                                    List.of(new SequencesEndpoint.Open("BATCH", 9))));
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("seriatim.in.hand")
                                    .tag("sequence", "shown")
                                    .gauge()
                                    .value())
                            .isEqualTo(9);
                });
    }

    @Test
    void without_the_name_of_a_bucket_there_are_none_and_a_bean_that_needs_them_fails_with_the_reason() {
        connected().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
        assertThat(failure(connected().withBean("early", SeriatimAutoConfigurationTest.Early.class)))
                .startsWith("Seriatim: there is no bean of type dev.seriatim.Sequences ")
                .contains("set seriatim.couchbase.bucket")
                .hasLineCount(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seriatim.couchbase.bucket=         | seriatim.couchbase.bucket is empty. | Set it to the bucket that holds the sequences.
            seriatim.couchbase.durability=most | durability 'most' does not exist. | Use one of majority, majority-and-persist, none, persist-to-majority.
            seriatim.couchbase.durability=majority | bucket default cannot keep values with durability majority. | Use Couchbase 6.5 or later, or use durability=none, which loses acknowledged values on failover.
            seriatim.table=numbers             | seriatim.table=numbers is for a database with tables. | With seriatim.couchbase.bucket, set seriatim.couchbase.collection.
            seriatim.patience=0                | seriatim.patience=0ms is not positive. | Set it to a time such as 10s.
            """)
    void a_wrong_property(String property, String cause, String remedy) {
        assertThat(failure(inBucket().withPropertyValues(property))).isEqualTo("Seriatim: " + cause + "\n" + remedy);
    }

    @Test
    void a_bucket_that_does_not_exist() {
        assertThat(failure(inBucket().withPropertyValues("seriatim.couchbase.bucket=nowhere")))
                .startsWith("Seriatim: bucket nowhere ")
                .contains("Check that the bucket exists")
                .doesNotContain(PASSWORD)
                .hasLineCount(2);
    }

    @Test
    void a_bucket_that_is_named_takes_precedence_over_a_data_source() {
        Database database = Engine.H2.freshDatabase();
        inBucket().withBean(DataSource.class, database::dataSource).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(StoreSequences.class)
                    .doesNotHaveBean(JdbcSequences.class);
            assertThat(context.getBean(Sequences.class).unique("precedence").next())
                    .isEqualTo(1);
        });
        for (String elsewhere : List.of("seriatim.data-source=source", "seriatim.url=jdbc:h2:mem:elsewhere")) {
            assertThat(failure(inBucket()
                            .withBean("source", DataSource.class, database::dataSource)
                            .withPropertyValues(elsewhere)))
                    .isEqualTo("Seriatim: " + elsewhere.substring(0, elsewhere.indexOf('='))
                            + " and seriatim.couchbase.bucket both say where the sequences are.\nRemove one of them.");
        }
        Boot.pooled(database)
                .withPropertyValues("seriatim.couchbase.bucket=default")
                .run(context -> assertThat(context)
                        .as("without a cluster, none rather than some in another place")
                        .hasNotFailed()
                        .doesNotHaveBean(Sequences.class));
    }

    @Test
    void sequences_of_the_applications_own_take_precedence() {
        Boot.runner()
                .withBean(Cluster.class, CouchbaseSequencesTest::untouched)
                .withBean(Sequences.class, () -> StoreSequences.of(new InMemoryStore()))
                .withPropertyValues("seriatim.couchbase.bucket=default")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Sequences.class));
        Boot.runner()
                .withBean(Cluster.class, CouchbaseSequencesTest::untouched)
                .withPropertyValues("seriatim.couchbase.bucket=default", "seriatim.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
    }

    static Cluster untouched() {
        return Cluster.connect("couchbase://127.0.0.1:1", "nobody", PASSWORD);
    }

    @Test
    void there_are_none_without_the_client_or_the_module() {
        for (String missing : List.of("com.couchbase.client", "dev.seriatim.couchbase")) {
            Boot.runner()
                    .withPropertyValues("seriatim.couchbase.bucket=default")
                    .withClassLoader(new FilteredClassLoader(missing))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
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
