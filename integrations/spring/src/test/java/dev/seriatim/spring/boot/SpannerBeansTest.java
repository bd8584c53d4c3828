// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import dev.seriatim.Allocation;
import dev.seriatim.Sequences;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.spanner.SpannerSequences;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Sequences in the application's Spanner database. */
@Timeout(60)
@Tag("long")
class SpannerBeansTest {

    private static final DatabaseId NOWHERE = DatabaseId.of("nobodys", "nowhere", "nothing");

    /** Returns a client; nothing listens at the address, unless it is an emulator's. */
    private static Spanner client(String address, String project, Duration patience) {
        SpannerOptions.Builder options = SpannerOptions.newBuilder()
                .setProjectId(project)
                .setEmulatorHost(address)
                .setCredentials(NoCredentials.getInstance())
                .setBuiltInMetricsEnabled(false);
        options.setSessionPoolOption(
                SessionPoolOptions.newBuilder().setMinSessions(0).build());
        options.getSpannerStubSettingsBuilder().applyToAllUnaryMethods(call -> {
            call.setRetrySettings(call.getRetrySettings().toBuilder()
                    .setTotalTimeoutDuration(patience)
                    .setInitialRpcTimeoutDuration(patience)
                    .setMaxRpcTimeoutDuration(patience)
                    .build());
            return null;
        });
        return options.build().getService();
    }

    /** Named like the interface of Spring Cloud GCP, which it stands for. */
    interface DatabaseIdProvider extends Supplier<DatabaseId> {}

    @Test
    void a_client_and_a_database_are_enough() throws Exception {
        String address = SpannerEmulator.shared();
        DatabaseId id = DatabaseId.of(
                "seriatim", "spring-" + ProcessHandle.current().pid() + (Boot.is4() ? "-4" : ""), "numbers");
        try (Spanner spanner = client(address, "seriatim", Duration.ofSeconds(10))) {
            create(spanner, id);
            ApplicationContextRunner runner = Boot.runner()
                    .withBean(Spanner.class, () -> spanner, definition -> definition.setDestroyMethodName(""))
                    .withPropertyValues(
                            "seriatim.table=our_numbers",
                            "seriatim.sequences.order.start-with=5",
                            "management.endpoints.web.exposure.include=sequences",
                            "management.endpoints.jmx.exposure.include=sequences",
                            "spring.jmx.enabled=true");
            ApplicationContextRunner given = runner.withBean(DatabaseId.class, () -> id);
            given.run(context -> {
                assertThat(context).hasNotFailed().hasSingleBean(SpannerSequences.class);
                assertThat(context.getBean(Sequences.class)
                                .open("order", Allocation.batch(10))
                                .next())
                        .isEqualTo(5);
                assertThat(ActuatorTest.health(context))
                        .startsWith("UP ")
                        .contains("our_numbers")
                        .containsPattern("answered in=[0-9.]+ ms");
                assertThat(context.getBean(SequencesEndpoint.class).sequences().sequences())
                        .extracting(SequencesEndpoint.Entry::nextValue)
                        .containsExactly(15L);
            });
            runner.withBean("provider", DatabaseIdProvider.class, () -> () -> id)
                    .run(context -> assertThat(context.getBean(Sequences.class)
                                    .unique("order")
                                    .next())
                            .as("given back")
                            .isEqualTo(6));
            assertThat(spanner.isClosed()).isFalse();
        }
    }

    private static void create(Spanner spanner, DatabaseId id) throws InterruptedException, ExecutionException {
        spanner.getInstanceAdminClient()
                .createInstance(InstanceInfo.newBuilder(id.getInstanceId())
                        .setDisplayName("tests")
                        .setInstanceConfigId(
                                InstanceConfigId.of(id.getInstanceId().getProject(), "emulator-config"))
                        .setNodeCount(1)
                        .build())
                .get();
        spanner.getDatabaseAdminClient()
                .createDatabase(id.getInstanceId().getInstance(), id.getDatabase(), List.of())
                .get();
    }

    private static ApplicationContextRunner unreachable() {
        return Boot.runner().withBean(Spanner.class, () -> client("127.0.0.1:1", "nobodys", Duration.ofMillis(500)));
    }

    @Test
    void a_database_that_does_not_answer() {
        for (ApplicationContextRunner runner : List.of(
                unreachable().withBean(DatabaseId.class, () -> NOWHERE),
                unreachable().withBean("provider", DatabaseIdProvider.class, () -> () -> NOWHERE))) {
            runner.run(context -> {
                assertThat(context).hasFailed();
                assertThat(Boot.lines(Objects.requireNonNull(context.getStartupFailure())))
                        .startsWith("Seriatim: ")
                        .contains(NOWHERE.getName())
                        .hasLineCount(2);
            });
        }
    }

    @Test
    void without_a_database_there_are_none() {
        unreachable().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
    }

    @Test
    void a_data_source_takes_precedence() {
        Boot.pooled(Engine.H2.freshDatabase())
                .withBean(Spanner.class, () -> client("127.0.0.1:1", "nobodys", Duration.ofMillis(500)))
                .withBean(DatabaseId.class, () -> NOWHERE)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Sequences.class)
                        .hasSingleBean(JdbcSequences.class));
    }

    @Test
    void a_bucket_that_is_named_takes_precedence() {
        unreachable()
                .withBean(DatabaseId.class, () -> NOWHERE)
                .withPropertyValues("seriatim.couchbase.bucket=default")
                .run(context -> assertThat(context)
                        .as("without a cluster, none rather than some in another place")
                        .hasNotFailed()
                        .doesNotHaveBean(Sequences.class));
    }

    @Test
    void there_are_none_without_the_client_or_the_module() {
        for (String missing : List.of("com.google.cloud.spanner", "dev.seriatim.spanner")) {
            Boot.runner()
                    .withClassLoader(new FilteredClassLoader(missing))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Sequences.class));
        }
    }
}
