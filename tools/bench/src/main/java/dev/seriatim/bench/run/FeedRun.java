// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Pause;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.option.EngineSql.SeriesSql;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A run of one {@link FeedWay} over a table of its own: writers, a poller, and a stamper where there are positions. */
final class FeedRun {

    private static final int MOST_ROWS = 1 << 20;
    private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_MILLIS = 2;
    /** The tables that all feeds of a database share. */
    private static final List<String> SHARED = List.of("seriatim_feed_reader", "seriatim_feed");

    private static final Duration STAMPING = Duration.ofMillis(5);

    /**
     * @param perSecond rows that were committed after the warm-up
     * @param rows all that were committed
     * @param lost those that the poller has not read
     * @param p50 from the commit to the read, in milliseconds
     */
    record Result(double perSecond, long rows, long lost, double p50, double p99) {}

    private final Site site;
    private final FeedWay way;
    private final Pause pause;
    private final String table;

    /** When each row's commit returned, and when the row was read; 0 for never. */
    private final long[] committed = new long[MOST_ROWS];

    private final long[] read = new long[MOST_ROWS];
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong readAt = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean polling = true;

    private FeedRun(Site site, FeedWay way, AtomicBoolean stop) {
        this.site = site;
        this.way = way;
        pause = new Pause(stop);
        table = "bench_" + UUID.randomUUID().toString().replace("-", "");
    }

    static FeedRun of(Site site, FeedWay way, AtomicBoolean stop) {
        return new FeedRun(site, way, stop);
    }

    /** Work of a thread with a connection of its own. */
    @FunctionalInterface
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    /**
     * Writes, and reads meanwhile.
     *
     * @param rows in a transaction
     * @param perSecond transactions that begin; 0 for as many as possible
     */
    Result measure(int clients, Duration duration, int rows, double perSecond) {
        return with(true, feeds -> {
            ScratchSequence sequence = way == FeedWay.SYNC ? ScratchSequence.in(site.store()) : null;
            try {
                String polled = way == FeedWay.FEED ? feeds.table(table).view() : table;
                Thread poller = start(connection -> poll(connection, polled));
                long begun = System.nanoTime();
                AtomicLong turns = new AtomicLong();
                List<Thread> writers = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    writers.add(start(connection -> {
                        long end = begun + WARM_UP_NANOS + duration.toNanos();
                        long due = begun;
                        while (due < end && System.nanoTime() < end && failure.get() == null) {
                            if (perSecond > 0) {
                                due = begun + (long) (turns.getAndIncrement() * 1e9 / perSecond);
                            }
                            if (!pause.until(due) || !write(connection, rows, sequence)) {
                                return;
                            }
                        }
                    }));
                }
                join(writers);
                long last = System.nanoTime();
                while (unread() > 0 && System.nanoTime() - Math.max(last, readAt.get()) < QUIET_NANOS) {
                    pause.until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
                }
                polling = false;
                join(List.of(poller));
                return result(begun + WARM_UP_NANOS, duration);
            } finally {
                if (sequence != null) {
                    sequence.close();
                }
            }
        });
    }

    /** Returns the rows per second to which one stamper gives positions. */
    double backlog(int rows) {
        if (site.hasOneWriter()) {
            return Double.NaN; // no row waits
        }
        return with(false, feeds -> {
            SeriesSql series = site.engine().series().orElseThrow();
            site.execute("INSERT INTO " + table + " (id, note) SELECT n, " + series.text() + " FROM "
                    + series.from().formatted(rows));
            Feed feed = feeds.table(table);
            long begun = System.nanoTime();
            long stamped = 0;
            for (int moved = feed.stamp(); moved > 0; moved = feed.stamp()) {
                stamped += moved;
            }
            return stamped * 1e9 / (System.nanoTime() - begun);
        });
    }

    /** Creates the table, and removes it and the feed at the end. */
    private <R> R with(boolean stamping, Function<JdbcFeeds, R> work) {
        site.execute("CREATE TABLE " + table + " (" + way.columns(site) + ")");
        boolean first = !exists(SHARED.get(0));
        JdbcStore store = (JdbcStore) site.store();
        try (JdbcFeeds feeds = JdbcFeeds.over(store, settings -> {
            if (stamping && way == FeedWay.FEED) {
                settings.stamping(STAMPING);
            }
        })) {
            try {
                return work.apply(feeds);
            } finally {
                if (feeds.list().contains(table)) {
                    feeds.drop(table);
                }
                if (first && feeds.list().isEmpty()) {
                    SHARED.forEach(shared -> site.execute("DROP TABLE IF EXISTS " + shared));
                }
            }
        } finally {
            site.execute("DROP TABLE " + table);
        }
    }

    private boolean exists(String other) {
        try {
            site.execute("SELECT 1 FROM " + other + " WHERE 1 = 0");
            return true;
        } catch (Unavailable e) {
            return false;
        }
    }

    private Thread start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try (Connection connection = connect()) {
                        work.run(connection);
                    } catch (SQLException | RuntimeException e) {
                        failure.compareAndSet(null, e);
                    }
                },
                "feed-run");
        thread.start();
        return thread;
    }

    private Connection connect() throws SQLException {
        if (site.hasConnections()) {
            return site.connect();
        }
        Connection connection = DriverManager.getConnection(
                "jdbc:sqlite:" + StoreUrl.parse(site.url()).place());
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 60000");
        }
        return connection;
    }

    private void join(List<Thread> threads) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Exception cause = failure.get();
        if (cause != null) {
            polling = false;
            throw new Unavailable(way + ": " + cause.getMessage(), cause);
        }
    }

    private boolean write(Connection connection, int rows, @Nullable ScratchSequence sequence) throws SQLException {
        int first = next.getAndAdd(rows);
        if (first + rows > MOST_ROWS) {
            return false;
        }
        connection.setAutoCommit(false);
        way.begin(site, connection);
        try {
            insert(connection, first, rows, sequence);
            connection.commit();
        } finally {
            way.end(site, connection);
        }
        long now = System.nanoTime();
        for (int id = first; id < first + rows; id++) {
            committed[id] = now;
        }
        return true;
    }

    private void insert(Connection connection, int first, int rows, @Nullable ScratchSequence sequence)
            throws SQLException {
        long position = sequence == null
                ? 0
                : TransactionalSequence.of((JdbcStore) site.store(), sequence.name())
                        .next(connection, rows)
                        .first();
        String columns =
                sequence == null ? " (id, note) VALUES (?, 'a row')" : " (id, note, position) VALUES (?, 'a row', ?)";
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + columns)) {
            for (int i = 0; i < rows; i++) {
                insert.setLong(1, first + i);
                if (sequence != null) {
                    insert.setLong(2, position + i);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void poll(Connection connection, String polled) throws SQLException {
        long[] place = {0, 0};
        try (PreparedStatement query = connection.prepareStatement(way.query(polled))) {
            while (polling) {
                if (way == FeedWay.XID) {
                    query.setString(1, Long.toString(place[0]));
                    query.setLong(2, place[1]);
                } else {
                    query.setLong(1, place[0]);
                }
                if (!take(query, place)) {
                    pause.until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
                }
            }
        }
    }

    private boolean take(PreparedStatement query, long[] place) throws SQLException {
        boolean found = false;
        try (ResultSet row = query.executeQuery()) {
            long now = System.nanoTime();
            while (row.next()) {
                found = true;
                read[row.getInt(1)] = now;
                place[0] = row.getLong(2);
                place[1] = way == FeedWay.XID ? row.getLong(3) : 0;
                readAt.set(now);
            }
        }
        return found;
    }

    private long unread() {
        return IntStream.range(0, Math.min(next.get(), MOST_ROWS))
                .filter(id -> committed[id] != 0 && read[id] == 0)
                .count();
    }

    private Result result(long from, Duration duration) {
        Histogram late = new Histogram(3);
        long all = 0;
        long timely = 0;
        for (int id = 0; id < Math.min(next.get(), MOST_ROWS); id++) {
            long at = committed[id];
            all += at == 0 ? 0 : 1;
            if (at - from > 0 && at - from <= duration.toNanos()) {
                timely++;
                if (read[id] != 0) {
                    late.recordValue(Math.max(0, read[id] - at));
                }
            }
        }
        return new Result(
                timely * 1e9 / duration.toNanos(),
                all,
                unread(),
                late.getValueAtPercentile(50) / 1e6,
                late.getValueAtPercentile(99) / 1e6);
    }
}
