// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.FeedReader;
import dev.seriatim.feed.FeedState;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The actuator's view of the sequences. */
@Timeout(60)
class ActuatorTest {

    private static final String PASSWORD = "sEcReT-48";

    @Test
    void healthy_while_the_store_answers() {
        Boot.pooled(Engine.H2.freshDatabase()).run(context -> {
            assertThat(health(context)).startsWith("UP ").contains("H2").containsPattern("answered in=[0-9.]+ ms");
            context.getBean(Sequences.class).unique("order").next();
            assertThat(health(context)).startsWith("UP ");
        });
    }

    @Test
    void healthy_with_sequences_of_the_applications_own() {
        Database database = Engine.H2.freshDatabase();
        Boot.runner()
                .withBean(JdbcSequences.class, () -> JdbcSequences.open(database.dataSource()))
                .run(context -> assertThat(health(context)).startsWith("UP "));
    }

    @Test
    void unknown_where_the_store_cannot_be_asked() {
        SequenceStore counters = (name, count) -> {
            throw new SequenceException.NotFound(name, "these counters");
        };
        Boot.runner()
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=sequences",
                        "management.endpoints.jmx.exposure.include=sequences",
                        "spring.jmx.enabled=true")
                .withBean(StoreSequences.class, () -> StoreSequences.of(counters))
                .run(context -> {
                    assertThat(health(context)).startsWith("UNKNOWN ").doesNotContain("error", "answered in");
                    assertThat(context.getBean(SequencesEndpoint.class)
                                    .sequences()
                                    .sequences())
                            .isEmpty();
                });
    }

    @Test
    void down_with_the_cause_in_one_line_and_without_secrets() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String user = "health_" + ProcessHandle.current().pid() + (Boot.is4() ? "_4" : "");
        database.execute("CREATE ROLE " + user + " LOGIN PASSWORD '" + PASSWORD + "'");
        try {
            database.execute("GRANT CREATE ON SCHEMA public TO " + user);
            Boot.pooled(database.as(user, PASSWORD)).run(context -> {
                context.getBean(Sequences.class).unique("order").next();
                assertThat(health(context)).startsWith("UP ").doesNotContain(PASSWORD);
                database.execute("ALTER TABLE seriatim_sequence OWNER TO CURRENT_USER");
                assertThat(health(context))
                        .startsWith("DOWN ")
                        .contains("error=this user may not use table seriatim_sequence")
                        .hasLineCount(1)
                        .doesNotContain(PASSWORD);
            });
        } finally {
            database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    @Test
    void down_in_time_while_the_store_hangs_with_one_question_under_way() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        ApplicationContextRunner runner = Boot.pooled(database)
                .withPropertyValues("seriatim.health-timeout=300ms", "seriatim.sequences.order.cache=1");
        runner.run(context -> {
            try (Connection other = database.connect()) {
                other.setAutoCommit(false);
                other.createStatement().execute("LOCK TABLE seriatim_sequence IN ACCESS EXCLUSIVE MODE");
                long began = System.nanoTime();
                for (int i = 0; i < 3; i++) {
                    assertThat(health(context)).startsWith("DOWN ").contains("error=no answer within 300 ms");
                }
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
                assertThat(database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                + " AND datname = current_database()"))
                        .isEqualTo(1);
                other.rollback();
            }
            assertThat(health(context)).startsWith("UP ");
        });
    }

    @Test
    void no_health_where_it_is_disabled() {
        Boot.pooled(Engine.H2.freshDatabase())
                .withPropertyValues("management.health.seriatim.enabled=false")
                .run(context -> assertThat(context.containsBean("seriatimHealthIndicator"))
                        .isFalse());
    }

    @Test
    void the_endpoint_lists_sequences_with_how_they_are_open() {
        Boot.pooled(Engine.H2.freshDatabase())
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=sequences",
                        "management.endpoints.jmx.exposure.include=sequences",
                        "spring.jmx.enabled=true",
                        "seriatim.sequences.idle.max-value=4",
                        "seriatim.sequences.idle.start-with=3",
                        "seriatim.sequences.full.max-value=1")
                .run(context -> {
                    Sequences sequences = context.getBean(Sequences.class);
                    sequences.open("full", Allocation.async()).next();
                    sequences.open("order", Allocation.batch(10)).next();
                    SequencesEndpoint.Listing listing =
                            context.getBean(SequencesEndpoint.class).sequences();
                    assertThat(listing.store()).contains("H2");
                    assertThat(listing.sequences())
                            .containsExactly(
                                    new SequencesEndpoint.Entry(
                                            "full", 1, true, 1.0, List.of(new SequencesEndpoint.Open("ASYNC", 0))),
                                    new SequencesEndpoint.Entry("idle", 3, false, 0.5, List.of()),
                                    new SequencesEndpoint.Entry(
                                            "order",
                                            11,
                                            false,
                                            10 / (double) Long.MAX_VALUE,
                                            List.of(new SequencesEndpoint.Open("BATCH", 9))));
                });
    }

    @Test
    void a_row_that_is_no_sequence_is_named_and_hides_no_other() {
        Database database = Engine.H2.freshDatabase();
        Boot.pooled(database)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=sequences",
                        "seriatim.sequences.lost.start-with=3",
                        "seriatim.sequences.whole.start-with=3")
                .run(context -> {
                    database.execute("UPDATE \"seriatim_sequence\" SET \"name\" = '' WHERE \"name\" = 'lost'");
                    SequencesEndpoint.Listing listing =
                            context.getBean(SequencesEndpoint.class).sequences();
                    assertThat(listing.sequences())
                            .extracting(SequencesEndpoint.Entry::name)
                            .containsExactly("whole");
                    assertThat(listing.broken()).containsOnlyKeys("");
                });
    }

    @Test
    void down_while_rows_of_a_feed_get_no_position() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
        Boot.pooled(database)
                .withPropertyValues("seriatim.feeds.stamping=0", "seriatim.feeds.alarm=1ms")
                .run(context -> {
                    assertThat(health(context)).startsWith("UP ");
                    Feed orders = context.getBean(JdbcFeeds.class).table("orders");
                    assertThat(health(context)).startsWith("UP ");
                    database.execute("INSERT INTO orders VALUES (1)");
                    Thread.sleep(2);
                    assertThat(health(context))
                            .startsWith("DOWN ")
                            .contains("feed 'orders': 1 rows have waited 0 s for a position; stamp it");
                    assertThat(orders.stamp()).isEqualTo(1);
                    assertThat(health(context)).startsWith("UP ");
                    database.execute("INSERT INTO orders VALUES (2)");
                    orders.stamp();
                    database.execute("INSERT INTO orders VALUES (3)");
                    assertThat(health(context)).as("moves").startsWith("UP ");
                });
    }

    @Test
    void the_endpoint_lists_open_feeds() throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)", "INSERT INTO orders VALUES (7)");
        Boot.pooled(database)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=feeds",
                        "management.endpoints.jmx.exposure.include=feeds",
                        "spring.jmx.enabled=true")
                .run(context -> {
                    FeedWatch endpoint = context.getBean(FeedWatch.class);
                    assertThat(endpoint.feeds()).containsEntry("feeds", List.of());
                    Feed orders = context.getBean(JdbcFeeds.class).table("orders");
                    orders.settle();
                    FeedReader billing = orders.reader("billing");
                    billing.rewind(1);
                    assertThat(endpoint.feeds())
                            .containsEntry(
                                    "feeds",
                                    List.of(new FeedState(
                                            "orders",
                                            "public.orders",
                                            List.of("id"),
                                            1,
                                            0,
                                            List.of(new FeedState.Reader("billing", 1)),
                                            List.of())));
                });
    }

    @Test
    void no_endpoint_that_is_not_exposed() {
        Boot.pooled(Engine.H2.freshDatabase())
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SequencesEndpoint.class));
    }

    /** Status and details, whichever package Boot's types are in. */
    static String health(ApplicationContext context) throws ReflectiveOperationException {
        Object indicator = context.getBean("seriatimHealthIndicator");
        Class<?> type = Boot.is4()
                ? Class.forName("org.springframework.boot.health.contributor.HealthIndicator")
                : Class.forName("org.springframework.boot.actuate.health.HealthIndicator");
        Object health = type.getMethod("health").invoke(indicator);
        Map<?, ?> details =
                (Map<?, ?>) health.getClass().getMethod("getDetails").invoke(health);
        return health.getClass().getMethod("getStatus").invoke(health) + " " + details;
    }
}
