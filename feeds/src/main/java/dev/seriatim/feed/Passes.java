// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The passes of one feed in this process. Thread-safe; passes of several threads and processes exclude each other in the database. */
final class Passes {

    /** How many rows a pass gives positions to, at most; bounds its memory and its time. */
    static final int FULL = 5_000;

    /** What {@link #pass} returns if another session stamps. */
    static final int BUSY = -1;

    private static final long OBSERVED_EVERY = TimeUnit.MILLISECONDS.toNanos(200);

    final FeedDatabase database;
    final FeedTables feed;
    final ListenerCalls listening;
    private final Floor floor = new Floor();
    /** Held from an observation's first query to the end of its pass. */
    private final ReentrantLock observing = new ReentrantLock();

    private volatile long observed = System.nanoTime() - OBSERVED_EVERY;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private long version;
    private volatile boolean closed;

    Passes(FeedDatabase database, FeedTables feed, ListenerCalls listening) {
        this.database = database;
        this.feed = feed;
        this.listening = listening;
    }

    /** Gives positions to what is committed; returns to how many rows, or {@link #BUSY}. */
    int pass() {
        long began = System.nanoTime();
        boolean observes = began - observed >= OBSERVED_EVERY && observing.tryLock();
        try {
            if (observes) {
                observe(began);
            }
            Floor.Start start = floor.start();
            boolean raises = start.floor() < start.settled();
            boolean waits =
                    raises || database.read(feed, connection -> database.sql.waits(connection, feed, start.floor()));
            return waits ? pass(start, began, observes, false) : 0;
        } finally {
            if (observes) {
                observing.unlock();
            }
        }
    }

    private void observe(long began) {
        database.read(feed, connection -> database.sql.observe(connection, feed))
                .ifPresent(now -> floor.observe(now, false));
        observed = began;
    }

    /**
     * Waits for another session's pass, and leaves nothing over that was committed before. Observes first: another process may have
     * made the feed again, so that arrivals begin again below the floor.
     */
    void settle() {
        observing.lock();
        try {
            int moved;
            do {
                long began = System.nanoTime();
                observe(began);
                moved = pass(floor.start(), began, true, true);
            } while (moved == FULL);
        } finally {
            observing.unlock();
        }
    }

    private record Moved(int rows, long last, Optional<Floor.Observation> observed) {}

    private int pass(Floor.Start start, long began, boolean observes, boolean wait) {
        Moved moved = database.write(feed, connection -> {
            database.sql.begin(connection);
            if (!database.sql.lock(connection, feed, wait)) {
                return new Moved(BUSY, 0, Optional.empty());
            }
            Optional<Floor.Observation> now = observes ? database.sql.observe(connection, feed) : Optional.empty();
            int rows = database.sql.move(connection, feed, start.floor());
            return new Moved(rows, rows == 0 ? 0 : database.sql.last(connection, feed), now);
        });
        if (moved.rows() == BUSY) {
            return BUSY;
        }
        if (moved.rows() < FULL) {
            floor.passed(start);
        }
        if (moved.rows() > 0) {
            moved.observed().ifPresent(now -> floor.observe(now, true));
            wake();
            listening.call(listener -> listener.stamped(
                    feed.name(), moved.rows(), moved.last(), Duration.ofNanos(System.nanoTime() - began)));
        }
        return moved.rows();
    }

    boolean isOpen() {
        return !closed;
    }

    void close() {
        closed = true;
        wake();
    }

    // Waiting for news

    /** Wakes those who wait for entries. */
    void wake() {
        lock.lock();
        try {
            version++;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the latest news. */
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for later news than these, at most for this time. */
    void await(long seen, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (version == seen && left > 0) {
                left = news.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
