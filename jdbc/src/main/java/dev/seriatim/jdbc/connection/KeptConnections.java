// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.DurableConnections;
import dev.seriatim.jdbc.dialect.LockWaits;
import dev.seriatim.jdbc.failure.NoTurn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A small pool of our own connections, opened when needed and kept for the next borrower.
 *
 * <p>Thread-safe; turns are first come, first served.
 */
public final class KeptConnections implements Connections {

    private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int CHECK_SECONDS = 5;

    /** Opens connections, and ends those that are not kept. */
    @FunctionalInterface
    public interface Opener {
        Connection open() throws SQLException;

        /** Ends a connection, and with it what may be open on it. Whether this fails makes no difference: the connection is unused. */
        default void end(Connection connection) throws SQLException {
            connection.close();
        }

        /** As {@link Connections#awaits}. */
        default Optional<String> awaits(Duration atLeast, String database) {
            return Optional.empty();
        }
    }

    private record Idle(Connection connection, long since) {}

    private final Opener opener;
    private final Dialect dialect;
    private final String database;
    private final Duration patience;
    private final Semaphore turns;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();
    private volatile long lastBroken = System.nanoTime();
    private volatile boolean closed;

    public KeptConnections(Opener opener, Dialect dialect, String database, int most, Duration patience) {
        this.patience = patience;
        turns = new Semaphore(most, true);
        this.opener = opener;
        this.dialect = dialect;
        this.database = database;
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException, InterruptedException {
        if (closed) {
            throw new Unavailable(database + " is closed; open it again", null);
        }
        if (!turns.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new NoTurn(database);
        }
        boolean taken = false;
        try {
            Connection connection = idleOrNew();
            taken = true;
            return lease(connection);
        } finally {
            if (!taken) {
                turns.release();
            }
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException, InterruptedException {
        return forWriting(deadline);
    }

    @Override
    public Optional<Lease> idle() {
        if (closed || turns.hasQueuedThreads() || !turns.tryAcquire()) { // those who wait come first
            return Optional.empty();
        }
        Idle last = idle.pollFirst();
        if (last != null && trusted(last)) {
            return Optional.of(lease(last.connection()));
        }
        if (last != null) {
            idle.addFirst(last);
        }
        turns.release();
        return Optional.empty();
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return opener.awaits(atLeast, database);
    }

    @Override
    public void create(long deadline) {
        // An administrator creates a server's database.
    }

    @Override
    public void close() {
        closed = true;
        for (Idle next = idle.poll(); next != null; next = idle.poll()) {
            discard(next.connection());
        }
    }

    private Lease lease(Connection connection) {
        return new Lease(connection, reusable -> takeBack(connection, reusable));
    }

    /** A connection idle for long may have been cut off; when one has broken, others may have too. */
    private boolean trusted(Idle last) {
        return System.nanoTime() - last.since() < TRUSTED_NANOS && last.since() - lastBroken > 0;
    }

    private Connection idleOrNew() throws SQLException {
        for (Idle last = idle.pollFirst(); last != null; last = idle.pollFirst()) {
            if (trusted(last) || last.connection().isValid(CHECK_SECONDS)) {
                return last.connection();
            }
            discard(last.connection());
        }
        Connection connection = opener.open();
        boolean durable = false;
        try {
            DurableConnections.makeDurable(dialect, connection);
            LockWaits.of(dialect).boundLockWaits(connection, patience);
            durable = true;
            return connection;
        } finally {
            if (!durable) {
                discard(connection);
            }
        }
    }

    private void takeBack(Connection connection, boolean reusable) {
        try {
            if (reusable) {
                idle.addFirst(new Idle(connection, System.nanoTime()));
            } else {
                lastBroken = System.nanoTime();
                discard(connection);
            }
        } finally {
            turns.release();
        }
        if (closed) {
            close();
        }
    }

    private void discard(Connection connection) {
        try {
            opener.end(connection);
        } catch (Throwable e) {
            // It is unusable, whether or not it closes.
        }
    }
}
