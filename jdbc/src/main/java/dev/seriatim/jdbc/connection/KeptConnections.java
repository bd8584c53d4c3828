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
import org.jspecify.annotations.Nullable;

/**
 * A small pool of our own connections, opened when needed and kept for the next borrower.
 *
 * <p>Transactions in which callers work never take the last one: a caller that draws in one would wait for itself. So there
 * is one more if they occupy as many as are kept at most.
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

        /** Ends a connection that is used no more; never throws. */
        default void end(Connection connection) {
            try {
                connection.close();
            } catch (Throwable e) {
                // It is unusable, whether or not it closes.
            }
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
    private final Semaphore ownWork;
    private final Semaphore callersWork;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();
    private volatile long lastBroken = System.nanoTime();
    private volatile @Nullable Destination destination;
    private volatile boolean closed;

    public KeptConnections(Opener opener, Dialect dialect, String database, int most, Duration patience) {
        this.patience = patience;
        turns = new Semaphore(most + 1, true);
        ownWork = new Semaphore(most, true);
        callersWork = new Semaphore(most, true);
        this.opener = opener;
        this.dialect = dialect;
        this.database = database;
    }

    /**
     * Adds the first connection, which the opener has opened; unless this throws, it is this pool's to end. Those to come must
     * lead where it does: a data source may choose another database for each thread.
     */
    public void keep(Connection connection) throws SQLException {
        destination = Destination.of(connection);
        prepare(connection);
        idle.addFirst(new Idle(connection, System.nanoTime()));
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException, InterruptedException {
        return forWork(ownWork, deadline);
    }

    @Override
    public Lease forCallers(long deadline) throws SQLException, InterruptedException {
        return forWork(callersWork, deadline);
    }

    private Lease forWork(Semaphore kind, long deadline) throws SQLException, InterruptedException {
        if (closed) {
            throw new Unavailable(database + " is closed; open it again", null);
        }
        await(kind, deadline);
        boolean turn = false;
        boolean taken = false;
        try {
            await(turns, deadline);
            turn = true;
            Connection connection = idleOrNew();
            taken = true;
            return lease(connection, kind);
        } finally {
            if (turn && !taken) {
                turns.release();
            }
            if (!taken) {
                kind.release();
            }
        }
    }

    /** Takes one that nobody waits for. */
    private static boolean takes(Semaphore semaphore) {
        return !semaphore.hasQueuedThreads() && semaphore.tryAcquire();
    }

    private void await(Semaphore semaphore, long deadline) throws SQLException, InterruptedException {
        if (!semaphore.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new NoTurn(database);
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException, InterruptedException {
        return forWriting(deadline);
    }

    @Override
    public Optional<Lease> idle() {
        return idle(ownWork);
    }

    @Override
    public Optional<Lease> idleForSharing() {
        return idle(callersWork);
    }

    private Optional<Lease> idle(Semaphore kind) {
        if (closed || !takes(kind)) {
            return Optional.empty();
        }
        if (!takes(turns)) {
            kind.release();
            return Optional.empty();
        }
        Idle last = idle.pollFirst();
        if (last != null && trusted(last)) {
            return Optional.of(lease(last.connection(), kind));
        }
        if (last != null) {
            idle.addFirst(last);
        }
        turns.release();
        kind.release();
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
            opener.end(next.connection());
        }
    }

    private Lease lease(Connection connection, Semaphore kind) {
        return new Lease(connection, reusable -> takeBack(connection, kind, reusable));
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
            opener.end(last.connection());
        }
        Connection connection = opener.open();
        boolean prepared = false;
        try {
            Destination first = destination;
            if (first != null) {
                first.checkSame(connection);
            }
            prepare(connection);
            prepared = true;
            return connection;
        } finally {
            if (!prepared) {
                opener.end(connection);
            }
        }
    }

    private void prepare(Connection connection) throws SQLException {
        DurableConnections.makeDurable(dialect, connection);
        LockWaits.of(dialect).boundLockWaits(connection, patience);
    }

    private void takeBack(Connection connection, Semaphore kind, boolean reusable) {
        try {
            if (reusable) {
                idle.addFirst(new Idle(connection, System.nanoTime()));
            } else {
                lastBroken = System.nanoTime();
                opener.end(connection);
            }
        } finally {
            turns.release();
            kind.release();
        }
        if (closed) {
            close();
        }
    }
}
