// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writers of transactions of 1 to 20 rows, whose commits are delayed at random and of which one in twenty is rolled back; a poller
 * that remembers the last position; and a stamper.
 */
final class LossCheck {

    private static final int WRITERS = 8;

    private final Database server;
    private final Feed feed;
    private final long rows;
    private final AtomicLong keys = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<Long> seen = new ArrayList<>();

    /** When a row's transaction was sent for its commit or its insert, and when the commit returned. */
    private final Map<Long, long[]> times = new ConcurrentHashMap<>();

    LossCheck(Database server, Feed feed, long rows) {
        this.server = server;
        this.feed = feed;
        this.rows = rows;
    }

    void run() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(i);
                writers.add(threads.submit(() -> write(random)));
            }
            Future<?> stamper = threads.submit(this::stamp);
            Future<?> poller = threads.submit(this::poll);
            for (Future<?> writer : writers) {
                writer.get(120, TimeUnit.SECONDS);
            }
            feed.settle();
            stop.set(true);
            stamper.get(20, TimeUnit.SECONDS);
            poller.get(20, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
    }

    private Void write(Random random) throws SQLException, InterruptedException {
        try (Connection connection = server.dataSource().getConnection()) {
            boolean oneWriter = server.url().startsWith("jdbc:sqlite");
            if (oneWriter) {
                FeedContract.run(connection, "PRAGMA busy_timeout = 60000");
            }
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO orders (id, note) VALUES (?, 'x')")) {
                while (committed.get() < rows) {
                    List<Long> mine = new ArrayList<>();
                    long inserted = System.nanoTime();
                    for (int i = 1 + random.nextInt(20); i > 0; i--) {
                        long key = keys.incrementAndGet();
                        insert.setLong(1, key);
                        insert.executeUpdate();
                        mine.add(key);
                    }
                    Thread.sleep(random.nextInt(oneWriter ? 2 : 50));
                    if (random.nextInt(20) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                        long returned = System.nanoTime();
                        mine.forEach(key -> times.put(key, new long[] {inserted, returned}));
                        committed.addAndGet(mine.size());
                    }
                }
            }
        }
        return null;
    }

    private Void stamp() throws InterruptedException {
        while (!stop.get()) {
            if (feed.stamp() == 0) {
                Thread.sleep(2);
            }
        }
        return null;
    }

    private Void poll() throws SQLException, InterruptedException {
        long last = 0;
        boolean ends = false;
        try (Connection connection = server.dataSource().getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT position, id FROM " + feed.view() + " WHERE position > ? ORDER BY position")) {
            while (!ends) {
                ends = stop.get();
                query.setLong(1, last);
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        last = row.getLong(1);
                        seen.add(row.getLong(2));
                    }
                }
                Thread.sleep(1);
            }
        }
        return null;
    }

    long lost() {
        Set<Long> missing = new HashSet<>(times.keySet());
        seen.forEach(missing::remove);
        return missing.size();
    }

    long twice() {
        return seen.size()
                - new HashSet<>(seen).size()
                + seen.stream().filter(key -> !times.containsKey(key)).count();
    }

    /** Returns how many rows come after one whose transaction began to insert after their commit had returned. */
    long outOfOrder() {
        long wrong = 0;
        long latest = Long.MIN_VALUE;
        for (Long key : seen) {
            long[] time = times.getOrDefault(key, new long[] {0, Long.MAX_VALUE});
            if (time[1] < latest) {
                wrong++;
            }
            latest = Math.max(latest, time[0]);
        }
        return wrong;
    }
}
