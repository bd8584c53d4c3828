// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link FeedSchedulesTest} does not play: a sequence that begins again. */
class FloorTest {

    private final Floor floor = new Floor();

    private static Floor.Observation at(long arrival, String... holders) {
        return new Floor.Observation(arrival, Set.of(holders), "one");
    }

    private void settle(long arrival) {
        floor.observe(at(arrival), true);
        floor.observe(at(arrival), false);
    }

    @Test
    void the_floor_is_what_was_settled_when_a_pass_began() {
        settle(5);
        Floor.Start start = floor.start();
        settle(9);
        floor.passed(start);
        assertThat(floor.start()).isEqualTo(new Floor.Start(5, 9, start.epoch()));
    }

    @Test
    void a_sequence_that_goes_back_begins_again_also_for_a_pass_under_way() {
        settle(5);
        Floor.Start start = floor.start();
        floor.observe(at(4), false);
        floor.passed(start);
        assertThat(floor.start()).isEqualTo(new Floor.Start(0, 0, start.epoch() + 1));
    }

    @Test
    void another_sequence_or_server_begins_again() {
        settle(5);
        floor.passed(floor.start());
        long epoch = floor.start().epoch();
        floor.observe(new Floor.Observation(9, Set.of(), "two"), false);
        assertThat(floor.start()).isEqualTo(new Floor.Start(0, 0, epoch + 1));
    }

    @Test
    void a_hundred_observations_wait_for_a_holder() {
        for (int i = 1; i <= 200; i++) {
            floor.observe(at(i, "3/7"), true);
        }
        floor.observe(at(200), false);
        assertThat(floor.start().settled()).isEqualTo(100);
    }

    /** Returns a feed over {@code orders} whose floor has risen. */
    private static Feed stampedFourTimes(Database server, JdbcFeeds feeds) throws Exception {
        server.execute("CREATE TABLE orders (id bigint PRIMARY KEY)");
        Feed orders = feeds.table("orders");
        for (int i = 1; i <= 4; i++) {
            server.execute("INSERT INTO orders VALUES (" + i + ")");
            orders.stamp();
            Thread.sleep(250);
        }
        return orders;
    }

    @Test
    void a_feed_that_was_made_again_begins_again() throws Exception {
        Database server = Engine.POSTGRESQL.freshDatabase();
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource());
                JdbcFeeds others = JdbcFeeds.open(server.dataSource())) {
            Feed orders = stampedFourTimes(server, feeds);
            others.drop("orders");
            server.execute("INSERT INTO orders SELECT generate_series(5, 20)");
            others.table("orders");
            Thread.sleep(250);
            assertThat(orders.stamp()).isEqualTo(20);
            assertThat(others.table("orders").settle()).isEqualTo(20);
        }
    }

    @Test
    void settling_finds_rows_of_a_feed_that_was_just_made_again() throws Exception {
        Database server = Engine.POSTGRESQL.freshDatabase();
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource());
                JdbcFeeds others = JdbcFeeds.open(server.dataSource())) {
            Feed orders = stampedFourTimes(server, feeds);
            others.drop("orders");
            server.execute("DELETE FROM orders WHERE id > 1");
            others.table("orders");
            assertThat(orders.settle()).isEqualTo(1);
        }
    }

    @Test
    void a_sequence_with_a_cache_gives_no_observation() throws SQLException {
        Database server = Engine.POSTGRESQL.freshDatabase();
        server.execute("CREATE TABLE orders (id bigint PRIMARY KEY)", "INSERT INTO orders VALUES (1)");
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource())) {
            Feed orders = feeds.table("orders");
            assertThat(observed(orders)).map(Floor.Observation::arrival).hasValue(1L);
            assertThat(observed(orders)).isEqualTo(observed(orders));
            server.execute("ALTER SEQUENCE orders_inbox_arrival_seq CACHE 10");
            assertThat(observed(orders)).isEmpty();
        }
    }

    private static Optional<Floor.Observation> observed(Feed feed) {
        return feed.database.read(feed.tables, connection -> feed.database.sql.observe(connection, feed.tables));
    }
}
