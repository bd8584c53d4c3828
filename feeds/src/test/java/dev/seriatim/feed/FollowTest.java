// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers that follow a feed, stamping in the background, and the ends of both. */
class FollowTest {

    private static final Duration PROMPT = Duration.ofSeconds(5);

    private static Database orders(Engine engine) throws SQLException {
        Database server = engine.freshDatabase();
        server.execute("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY)");
        return server;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void instances_of_a_reader_share_the_entries_in_order_until_the_feeds_close(Engine engine) throws Exception {
        Database server = orders(engine);
        List<Object> seen = Collections.synchronizedList(new ArrayList<>());
        List<JdbcFeeds> opened = new ArrayList<>();
        List<Exception> failed = Collections.synchronizedList(new ArrayList<>());
        FeedListener failures = new FeedListener() {
            @Override
            public void failed(String feed, Exception failure) {
                failed.add(failure);
            }
        };
        List<CompletableFuture<Void>> followers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            JdbcFeeds feeds = JdbcFeeds.open(
                    server.dataSource(), s -> s.stamping(Duration.ofMillis(5)).listener(failures));
            opened.add(feeds);
            FeedReader reader = feeds.table("orders").reader("one");
            followers.add(CompletableFuture.runAsync(() ->
                    reader.follow(7, (connection, batch) -> batch.forEach(each -> seen.add(each.key())))));
        }
        for (int i = 1; i <= 100; i++) {
            server.execute("INSERT INTO orders VALUES (" + i + ")");
        }
        Feed feed = opened.get(0).table("orders");
        feed.reader("one").await(feed.settle(), PROMPT);
        opened.forEach(JdbcFeeds::close);
        for (CompletableFuture<Void> follower : followers) {
            follower.get(PROMPT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(failed).isEmpty();
        assertThat(seen)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 100)
                        .mapToObj(n -> (Object) (long) n)
                        .toList());
    }

    @Test
    void following_ends_with_what_the_handler_throws_or_with_an_interrupt() throws Exception {
        Database server = orders(Engine.SQLITE);
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource())) {
            FeedReader reader = feeds.table("orders").reader("one");
            server.execute("INSERT INTO orders VALUES (1)");
            assertThatThrownBy(() -> reader.follow(1, (connection, batch) -> {
                        throw new IllegalArgumentException("planted");
                    }))
                    .hasMessage("planted");
            assertThat(reader.position()).isZero();
            Thread follower = new Thread(() -> reader.follow(1, (connection, batch) -> {}));
            follower.start();
            reader.await(1, PROMPT);
            follower.interrupt();
            follower.join(PROMPT.toMillis());
            assertThat(follower.isAlive()).isFalse();
            assertThatThrownBy(() -> reader.await(2, Duration.ofMillis(30)))
                    .isInstanceOf(Overloaded.class)
                    .hasMessageContaining("stands at 1, not yet at 2");
        }
    }

    @Test
    void a_pass_leaves_what_another_session_stamps_and_settling_waits_for_it() throws Exception {
        Database server = orders(Engine.POSTGRESQL);
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource(), s -> s.patience(Duration.ofSeconds(3)));
                Connection other = server.connect();
                Statement statement = other.createStatement()) {
            Feed feed = feeds.table("orders");
            server.execute("INSERT INTO orders VALUES (1)");
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM seriatim_feed FOR UPDATE");
            assertThat(feed.stamp()).isZero();
            assertThat(feed.state().waiting()).isEqualTo(1);
            assertThat(feed.state().holders()).singleElement().asString().contains("idle in transaction");
            CompletableFuture<Long> settled = CompletableFuture.supplyAsync(feed::settle);
            Thread.sleep(200);
            assertThat(settled).isNotDone();
            other.rollback();
            assertThat(settled.get(PROMPT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
            statement.execute("SELECT 1 FROM seriatim_feed FOR UPDATE");
            server.execute("INSERT INTO orders VALUES (2)");
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(feed::settle).get(9, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("locked by another session");
        }
    }

    @Test
    void a_reader_that_another_process_removed_begins_again() throws Exception {
        Database server = orders(Engine.SQLITE);
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource())) {
            FeedReader reader = feeds.table("orders").reader("one");
            server.execute("INSERT INTO orders VALUES (1)");
            assertThat(reader.relay(5, batch -> {})).isEqualTo(1);
            feeds.table("orders").reader("one").forget();
            assertThat(reader.relay(5, batch -> {})).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE"})
    void a_feed_that_another_process_dropped_is_reported_as_missing(Engine engine) throws Exception {
        Database server = orders(engine);
        try (JdbcFeeds feeds = JdbcFeeds.open(server.dataSource(), s -> s.stamping(Duration.ofMillis(5)));
                JdbcFeeds others = JdbcFeeds.open(server.dataSource(), s -> s.createMissing(false))) {
            Feed feed = feeds.table("orders");
            others.drop("orders");
            assertThatThrownBy(feed::last).isInstanceOf(NotFound.class).hasMessageContaining("feed 'orders' not found");
            assertThatThrownBy(() -> others.table("orders")).isInstanceOf(NotFound.class);
            assertThatThrownBy(() -> feed.reader("one").relay(5, batch -> {})).isInstanceOf(NotFound.class);
        }
    }

    @Test
    void background_stamping_survives_failures_and_goes_on() throws Exception {
        Database server = orders(Engine.POSTGRESQL);
        List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
        FeedListener listener = new FeedListener() {
            @Override
            public void failed(String feed, Exception failure) {
                failures.add(failure);
                Thread.currentThread().interrupt();
                throw new IllegalStateException("a listener's own");
            }
        };
        CompletableFuture<Void> follower;
        try (JdbcFeeds feeds = JdbcFeeds.open(
                server.dataSource(), s -> s.stamping(Duration.ofMillis(5)).listener(listener))) {
            Feed feed = feeds.table("orders");
            server.execute("ALTER TABLE orders_inbox RENAME TO elsewhere");
            while (failures.isEmpty()) {
                Thread.sleep(10);
            }
            server.execute("ALTER TABLE elsewhere RENAME TO orders_inbox", "INSERT INTO orders VALUES (1)");
            while (feed.last() == 0) {
                Thread.sleep(10);
            }
            FeedReader reader = feed.reader("one");
            follower = CompletableFuture.runAsync(() -> reader.follow(5, (connection, batch) -> {}));
            reader.await(1, PROMPT);
        }
        follower.get(PROMPT.toSeconds(), TimeUnit.SECONDS);
        assertThat(failures.get(0)).hasMessageContaining("run 'seriatim feed drop orders', and create the feed again");
    }
}
