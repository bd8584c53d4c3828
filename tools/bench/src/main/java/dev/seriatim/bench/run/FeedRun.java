// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.ScratchSequence;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.load.Workload;
import dev.seriatim.cli.option.EngineSql.SeriesSql;
import dev.seriatim.feed.Feed;
import dev.seriatim.feed.JdbcFeeds;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A run over a table of its own: writers, a poller that remembers the last number, and a stamper where there are positions. */
final class FeedRun {

    static final int MOST_ROWS = 1 << 20;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration STAMPING = Duration.ofMillis(5);

    /** The tables that all feeds of a database share. */
    private static final List<String> SHARED = List.of("seriatim_feed_reader", "seriatim_feed");

    /** Ways to give a row the number by which it is polled. */
    enum Way {
        /** The database's own number: the control. */
        IDENTITY("drawn at the insert"),
        FEED("given after the commit"),
        /** The database's own number, under a named lock up to the commit. */
        LOCK("drawn under a lock"),
        SYNC("drawn in mode SYNC"),
        /** The transaction's number, read below that of the oldest transaction. */
        XID("of the transaction");

        final String title;

        Way(String title) {
            this.title = title;
        }

        boolean isOffered(Site site) {
            return switch (this) {
                case IDENTITY, FEED, SYNC -> true;
                case LOCK -> !site.hasOneWriter();
                case XID -> isPostgres(site);
            };
        }

        private String columns(Site site) {
            String number =
                    this == SYNC ? "BIGINT NOT NULL" : site.engine().identity().orElseThrow();
            return (this == FEED ? "no " : "position ") + number + " PRIMARY KEY, id BIGINT NOT NULL, note VARCHAR(40)"
                    + (this == XID ? ", tx xid8 NOT NULL DEFAULT pg_current_xact_id()" : "");
        }

        /** Returns a query for a row's id, and for the place to go on from. */
        private String query(String polled, long... place) {
            return this == XID
                    ? "SELECT id, position, tx::text FROM " + polled + " WHERE (tx, position) > ('" + place[1]
                            + "'::xid8, " + place[0] + ") AND tx < pg_snapshot_xmin(pg_current_snapshot())"
                            + " ORDER BY tx, position LIMIT 5000"
                    : "SELECT id, position, 0 FROM " + polled + " WHERE position > " + place[0]
                            + " ORDER BY position LIMIT 5000";
        }
    }

    private static JdbcStore store(Site site) {
        return (JdbcStore) site.store();
    }

    private static boolean isPostgres(Site site) {
        return store(site).dialect().product().equals("PostgreSQL");
    }

    /**
     * @param lost rows that the poller has not read
     * @param p50 from the commit to the read, in milliseconds
     */
    record Result(double perSecond, long rows, long lost, double p50, double p99) {}

    private final Site site;
    private final Way way;
    private final String table = "bench_" + UUID.randomUUID().toString().replace("-", "");

    /** When each row's commit returned, and when the row was read; 0 for never. */
    private final long[] committed = new long[MOST_ROWS];

    private final long[] read = new long[MOST_ROWS];
    private final AtomicInteger next = new AtomicInteger();
    private volatile long readAt;
    private volatile boolean polling = true;

    FeedRun(Site site, Way way) {
        this.site = site;
        this.way = way;
    }

    /**
     * Writes rows, some in each transaction, and reads meanwhile. The delay of those that are skipped does not count.
     *
     * @param otherWork of each transaction, after its rows
     */
    Result measure(int clients, Workload workload, int rows, int skipped, Duration otherWork, AtomicBoolean stop) {
        return with(true, feeds -> {
            try (ScratchSequence sequence = ScratchSequence.in(site.store())) {
                String polled = way == Way.FEED ? feeds.table(table).view() : table;
                CompletableFuture<Void> poller =
                        CompletableFuture.runAsync(() -> poll(polled), task -> new Thread(task, "poller").start());
                Measured measured = workload.run(
                        clients,
                        false,
                        draw -> {
                            int first = next.getAndAdd(rows);
                            site.inTransaction(
                                    connection -> write(connection, first, rows, otherWork, sequence.name()));
                            long now = System.nanoTime();
                            IntStream.range(first, first + rows).forEach(id -> committed[id] = now);
                            draw.unseen = rows;
                            return true;
                        },
                        stop,
                        begun -> {});
                long end = System.nanoTime();
                while (unread() > 0 && System.nanoTime() - Math.max(end, readAt) < QUIET_NANOS) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                polling = false;
                poller.join();
                return result(measured, skipped);
            } finally {
                polling = false;
            }
        });
    }

    private Result result(Measured measured, int skipped) {
        if (!measured.failure().isEmpty()) { // a way that does not keep the pace has errors, too
            throw new Unavailable(way + ": " + measured.failure(), null);
        }
        Histogram delays = new Histogram(3);
        int all = next.get();
        IntStream.range(skipped, all)
                .filter(id -> committed[id] != 0 && read[id] != 0)
                .forEach(id -> delays.recordValue(Math.max(0, read[id] - committed[id])));
        return new Result(
                measured.numbers() * 1e9 / measured.nanos(),
                all,
                unread(),
                delays.getValueAtPercentile(50) / 1e6,
                delays.getValueAtPercentile(99) / 1e6);
    }

    private long unread() {
        return IntStream.range(0, next.get())
                .filter(id -> committed[id] != 0 && read[id] == 0)
                .count();
    }

    /** Returns the rows per second to which one stamper gives positions; not a number where no row waits. */
    double backlog(int rows) {
        if (site.hasOneWriter()) {
            return Double.NaN;
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
        boolean first = !site.hasTable(SHARED.get(0));
        try (JdbcFeeds feeds = JdbcFeeds.over(store(site), settings -> {
            if (stamping && way == Way.FEED) {
                settings.stamping(STAMPING);
            }
        })) {
            try {
                return work.apply(feeds);
            } finally {
                if (way == Way.FEED) {
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

    private boolean write(Connection connection, int first, int rows, Duration otherWork, String sequence) {
        boolean postgres = isPostgres(site);
        try {
            if (way == Way.LOCK) {
                Sql.execute(
                        connection, postgres ? "SELECT pg_advisory_xact_lock(4711)" : "SELECT GET_LOCK('4711', 60)");
            }
            long position = way == Way.SYNC
                    ? TransactionalSequence.of(store(site), sequence)
                            .next(connection, rows)
                            .first()
                    : 0;
            boolean numbered = way == Way.SYNC;
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table
                    + (numbered
                            ? " (id, note, position) VALUES (?, 'a row', ?)"
                            : " (id, note) VALUES (?, 'a row')"))) {
                for (int i = 0; i < rows; i++) {
                    insert.setLong(1, first + i);
                    if (numbered) {
                        insert.setLong(2, position + i);
                    }
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            LockSupport.parkNanos(otherWork.toNanos());
            if (way == Way.LOCK && !postgres) {
                connection.commit();
                Sql.execute(connection, "SELECT RELEASE_LOCK('4711')");
            }
            return true;
        } catch (SQLException e) {
            throw new Unavailable(String.valueOf(e.getMessage()), e);
        }
    }

    private void poll(String polled) {
        Transactions reads = store(site).transactions(store(site).failures("the benchmark's tables", ""));
        long[] place = {0, 0};
        while (polling) {
            int found = reads.reading(SqlFailures.UNNAMED, connection -> {
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(way.query(polled, place))) {
                    long now = System.nanoTime();
                    int rows = 0;
                    for (; row.next(); rows++) {
                        read[row.getInt(1)] = now;
                        place[0] = row.getLong(2);
                        place[1] = row.getLong(3);
                        readAt = now;
                    }
                    return rows;
                }
            });
            LockSupport.parkNanos(found == 0 ? PAUSE_NANOS : 0);
        }
    }
}
