// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.conservation.TestProperties;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two sessions that idle in a transaction, one with a row of the feed's table and one with a snapshot, while others write 2,000 rows
 * a second: from the commit's start to a poller's read takes as long at the end as at the beginning. PostgreSQL never vacuums, and
 * has a logical subscriber. Twenty seconds, or with {@code -Dseriatim.trials=soak} an hour; only then are times compared.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("long")
class IdleSessionsTest {

    private static final boolean SOAK = TestProperties.ofThisJvm().isSoak();
    private static final int WRITERS = 8;
    private static final int ROWS = 10;
    private static final int ROWS_PER_SECOND = 2_000;

    /** Latencies of a window, in tenths of a millisecond. */
    private static final class Window {
        private final int[] counts = new int[100_000];
        private int total;

        void add(long nanos) {
            counts[(int) Math.min(nanos / 100_000, counts.length - 1)]++;
            total++;
        }

        double percentile(double percent) {
            long seen = 0;
            int tenths = -1;
            while (seen < total * percent / 100) {
                seen += counts[++tenths];
            }
            return tenths / 10.0;
        }
    }

    private final ConcurrentHashMap<Long, Long> sent = new ConcurrentHashMap<>();
    private long committed;
    private volatile boolean stop;

    @Test
    void do_not_slow_a_feed_of_postgresql() throws Exception {
        try (Server server = Server.installedPostgresql(Map.of("autovacuum", "off", "wal_level", "logical"))) {
            Database database = server.freshDatabase();
            Database subscriber = server.freshDatabase();
            for (Database each : List.of(database, subscriber)) {
                each.execute("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY)");
            }
            database.execute(
                    "CREATE PUBLICATION p FOR TABLE orders",
                    "SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
            subscriber.execute("CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=" + server.port() + " dbname="
                    + database.name() + " user=" + database.user() + " password=" + database.password()
                    + "' PUBLICATION p WITH (create_slot = false, copy_data = false)");
            try {
                database.execute("ALTER ROLE CURRENT_USER SET plan_cache_mode = force_custom_plan");
                List<Window> windows = latencies(database, Duration.ofHours(1));
                long rows = database.number("SELECT count(*) FROM orders");
                for (int i = 0; subscriber.number("SELECT count(*) FROM orders") < rows; i++) {
                    assertThat(i)
                            .as("seconds until the subscriber has every row")
                            .isLessThan(600);
                    TimeUnit.SECONDS.sleep(1);
                }
                if (SOAK) {
                    compare(windows);
                }
            } finally {
                subscriber.execute("DROP SUBSCRIPTION s");
            }
        }
    }

    @Test
    void slow_a_feed_of_mariadb_by_less_than_a_second() throws Exception {
        Database database = Engine.MARIADB.freshDatabase();
        database.execute("CREATE TABLE orders (id BIGINT NOT NULL PRIMARY KEY)");
        List<Window> windows = latencies(database, Duration.ofMinutes(10));
        assertThat(windows.get(windows.size() - 1).percentile(99)).isLessThan(1_000);
    }

    /** Compares the medians of the first and the last minutes. */
    private static void compare(List<Window> windows) {
        int compared = windows.size() / 6;
        for (double percent : new double[] {50, 99}) {
            double first = median(windows.subList(0, compared), percent);
            double last = median(windows.subList(windows.size() - compared, windows.size()), percent);
            System.out.printf(Locale.ROOT, "trial: p%.0f %.1f ms, then %.1f ms%n", percent, first, last);
            assertThat(last).isLessThanOrEqualTo(1.2 * first);
        }
    }

    private static double median(List<Window> windows, double percent) {
        double[] sorted = windows.stream()
                .mapToDouble(window -> window.percentile(percent))
                .sorted()
                .toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns the latencies of each minute, or of each 5 seconds of a short run. */
    private List<Window> latencies(Database database, Duration soak) throws Exception {
        int windows = SOAK ? (int) soak.toMinutes() : 4;
        Duration each = Duration.ofSeconds(SOAK ? 60 : 5);
        try (JdbcFeeds feeds = JdbcFeeds.open(database.dataSource(), s -> s.stamping(Duration.ofMillis(20)));
                Connection participant = database.connect();
                Connection snapshot = database.connect()) {
            Feed feed = feeds.table("orders");
            participant.setAutoCommit(false);
            snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            snapshot.setAutoCommit(false);
            List<CompletableFuture<Long>> writers = new ArrayList<>();
            CompletableFuture<List<Window>> reader;
            try (Statement inserted = participant.createStatement();
                    Statement read = snapshot.createStatement()) {
                inserted.execute("INSERT INTO orders VALUES (-1)");
                read.executeQuery("SELECT count(*) FROM orders").close();
                long start = System.nanoTime();
                IntStream.range(0, WRITERS)
                        .forEach(writer -> writers.add(running(() -> write(database, writer, start))));
                reader = running(() -> read(database, windows, each));
                reader.handle((latencies, failure) -> stop = true).join();
                for (CompletableFuture<Long> writer : writers) {
                    committed += writer.get(1, TimeUnit.MINUTES);
                }
                feed.settle();
                participant.commit();
                snapshot.rollback();
            }
            assertThat(feed.settle()).isEqualTo(committed + 1);
            assertThat(database.number("SELECT count(*) FROM orders_feed")).isEqualTo(committed + 1);
            assertThat(database.number("SELECT max(position) FROM orders_feed WHERE id = -1"))
                    .as("the last to commit")
                    .isEqualTo(committed + 1);
            return reader.get();
        }
    }

    private interface Action<T> {
        T run() throws Exception;
    }

    private static <T> CompletableFuture<T> running(Action<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        result.complete(action.run());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                })
                .start();
        return result;
    }

    /** Commits its share of the rows, at a steady pace; returns their number. */
    private long write(Database database, int writer, long start) throws SQLException, InterruptedException {
        long pause = TimeUnit.SECONDS.toNanos(1) * ROWS * WRITERS / ROWS_PER_SECOND;
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
            connection.setAutoCommit(false);
            long id = writer;
            long turn = 0;
            for (; !stop; turn++) {
                TimeUnit.NANOSECONDS.sleep(start + turn * pause + pause * writer / WRITERS - System.nanoTime());
                List<Long> ids = new ArrayList<>();
                for (int row = 0; row < ROWS; row++) {
                    insert.setLong(1, id);
                    insert.executeUpdate();
                    ids.add(id);
                    id += WRITERS;
                }
                long now = System.nanoTime();
                ids.forEach(each -> sent.put(each, now));
                connection.commit();
            }
            return turn * ROWS;
        }
    }

    /** Polls the view as a foreign program does. */
    private List<Window> read(Database database, int windows, Duration each) throws SQLException, InterruptedException {
        List<Window> latencies = new ArrayList<>();
        long position = 0;
        try (Connection connection = database.connect();
                PreparedStatement poll = connection.prepareStatement(
                        "SELECT position, id FROM orders_feed WHERE position > ? ORDER BY position LIMIT 5000")) {
            for (int i = 0; i < windows; i++) {
                Window window = new Window();
                long end = System.nanoTime() + each.toNanos();
                while (System.nanoTime() < end) {
                    poll.setLong(1, position);
                    try (ResultSet rows = poll.executeQuery()) {
                        while (rows.next()) {
                            assertThat(rows.getLong(1)).isEqualTo(++position);
                            Long since = sent.remove(rows.getLong(2));
                            assertThat(since)
                                    .as("a row that was committed, once")
                                    .isNotNull();
                            window.add(System.nanoTime() - since);
                        }
                    }
                    TimeUnit.MILLISECONDS.sleep(2);
                }
                assertThat(window.total).isPositive();
                latencies.add(window);
                if (SOAK) {
                    System.out.printf(
                            Locale.ROOT,
                            "trial: window %d: %d rows, p50 %.1f ms, p99 %.1f ms%n",
                            i + 1,
                            window.total,
                            window.percentile(50),
                            window.percentile(99));
                }
            }
        }
        return latencies;
    }
}
