// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many writers at once: the order of transactions that wait for each other, and a feed that is made beside them. With {@code
 * -Dseriatim.trials=soak}, 100,000 transactions, and a table of a million rows.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("long")
class FeedLoadTest {

    private static final boolean SOAK = TestProperties.ofThisJvm().isSoak();
    private static final int TRANSACTIONS = SOAK ? 100_000 : 3_000;
    private static final int ROWS = SOAK ? 1_000_000 : 20_000;
    private static final int WRITERS = 32;
    private static final int ACCOUNTS = 8;

    private final AtomicLong committed = new AtomicLong();

    /** One transaction of a writer. */
    private interface Turn {
        void take(Connection connection, long id) throws SQLException;
    }

    private void write(Database database, BooleanSupplier goesOn, Turn turn) {
        CompletableFuture.allOf(IntStream.range(0, WRITERS)
                        .mapToObj(writer -> CompletableFuture.runAsync(
                                () -> {
                                    try (Connection connection = database.connect()) {
                                        connection.setAutoCommit(false);
                                        for (long id = writer; goesOn.getAsBoolean(); id += WRITERS) {
                                            turn.take(connection, id);
                                            connection.commit();
                                            committed.incrementAndGet();
                                        }
                                    } catch (SQLException e) {
                                        throw new IllegalStateException(e);
                                    }
                                },
                                task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** As Hibernate flushes: the event is inserted before its transaction waits for the account. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoever_waited_for_a_row_comes_later_unless_constraints_are_immediate(boolean deferred) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        database.execute(
                "CREATE TABLE account (id BIGINT PRIMARY KEY, version BIGINT NOT NULL DEFAULT 0)",
                "INSERT INTO account SELECT generate_series(0, " + (ACCOUNTS - 1) + ")",
                "CREATE TABLE event (id BIGINT PRIMARY KEY, account BIGINT NOT NULL, version BIGINT)");
        try (JdbcFeeds feeds = JdbcFeeds.open(database.dataSource(), s -> s.stamping(Duration.ofMillis(5)))) {
            Feed events = feeds.table("event");
            write(database, () -> committed.get() < TRANSACTIONS, (connection, id) -> {
                long account = ThreadLocalRandom.current().nextInt(ACCOUNTS);
                try (Statement statement = connection.createStatement()) {
                    if (!deferred) {
                        statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
                    }
                    statement.execute("INSERT INTO event VALUES (" + id + ", " + account + ")");
                    statement.execute("WITH changed AS (UPDATE account SET version = version + 1 WHERE id = " + account
                            + " RETURNING version) UPDATE event SET version = changed.version FROM changed"
                            + " WHERE event.id = " + id);
                }
            });
            assertThat(events.settle()).isEqualTo(committed.get());
        }
        long inversions =
                database.number("SELECT count(*) FROM (SELECT version, lag(version) OVER (PARTITION BY account"
                        + " ORDER BY position) AS before FROM event_feed) v WHERE before > version");
        System.out.println("trial: " + committed + " transactions, " + inversions + " out of order");
        if (deferred) {
            assertThat(inversions).isZero();
        } else {
            assertThat(inversions).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void a_feed_that_is_made_beside_writers_has_each_row_once(Engine engine) throws Exception {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY)", existing(engine));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        List<Long> made = new ArrayList<>();
        CompletableFuture<Void> writers = CompletableFuture.runAsync(
                () -> write(database, () -> !stop.get(), (connection, id) -> {
                    long began = System.nanoTime();
                    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
                        insert.setLong(1, -1 - id);
                        insert.executeUpdate();
                    }
                    longest.accumulateAndGet(System.nanoTime() - began, Math::max);
                }),
                task -> new Thread(task).start());
        try (JdbcFeeds feeds = JdbcFeeds.open(database.dataSource(), s -> s.patience(Duration.ofMinutes(2)))) {
            await(100);
            long began = System.nanoTime();
            Feed orders = feeds.table("orders");
            made.add(System.nanoTime() - began);
            await(committed.get() + 100);
            stop.set(true);
            writers.get(1, TimeUnit.MINUTES);
            assertThat(orders.settle()).isEqualTo(ROWS + committed.get());
            assertThat(orders.check().faults()).isEmpty();
        }
        System.out.printf(
                "trial: %s: a feed over %,d rows made in %d ms; a writer waited %d ms%n",
                engine, ROWS, made.get(0) / 1_000_000, longest.get() / 1_000_000);
        assertThat(longest.get()).isLessThan(made.get(0) + TimeUnit.SECONDS.toNanos(2));
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*), COUNT(DISTINCT id), MIN(position), MAX(position) FROM orders_feed")) {
            row.next();
            for (int i : new int[] {1, 2, 4}) {
                assertThat(row.getLong(i)).isEqualTo(ROWS + committed.get());
            }
            assertThat(row.getLong(3)).isEqualTo(1);
        }
    }

    private static String existing(Engine engine) {
        return engine == Engine.POSTGRESQL
                ? "INSERT INTO orders SELECT generate_series(0, " + (ROWS - 1) + ")"
                : "INSERT INTO orders SELECT seq FROM seq_0_to_" + (ROWS - 1);
    }

    private void await(long commits) throws InterruptedException {
        while (committed.get() < commits) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
