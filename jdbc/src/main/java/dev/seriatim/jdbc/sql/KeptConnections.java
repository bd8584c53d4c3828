// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException.Unavailable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A small pool of the store's connections, opened when needed.
 *
 * <p>Transactions in which callers work never take the last one, since a caller that draws in one would wait for itself:
 * there is one more if they occupy the maximum. A connection that was lent to a caller's code never serves the store's own
 * work, and is closed if its session may have changed. Thread-safe; turns are first come, first served.
 */
public final class KeptConnections implements Connections {

    private static final long TRUSTED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Opens connections, and ends those that are not kept. */
    @FunctionalInterface
    public interface Opener {
        /** Opens a connection; may wait without end for a server that does not answer. */
        Connection open() throws SQLException;

        /** Opens the first connection; waits for a silent server as {@link LoginWait#limit}. */
        default Connection first(Duration patience) throws SQLException {
            return LoginWait.atMost(LoginWait.limit(patience), this::open);
        }

        /** Returns whether a kept connection is now in a transaction of the caller, who may use JTA. */
        default boolean isOthers(Connection connection) {
            return false;
        }

        /** Ends a connection that is used no more; never throws. */
        default void end(Connection connection) {
            Sql.close(connection);
        }

        default Optional<String> awaits(Duration atLeast, String database) {
            return Optional.empty();
        }
    }

    private record Idle(Connection connection, long since) {}

    private static final class Use {
        private final Semaphore turns;
        private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

        Use(int most) {
            turns = new Semaphore(most, true);
        }
    }

    private final Opener opener;
    private final Dialect dialect;
    private final Function<Connection, WatchedConnection> watching;
    private final String database;
    private final Duration patience;
    private final int most;
    private final Duration loginLimit;
    private final Semaphore turns;
    private final Use ownWork;
    private final Use callersWork;
    private final AtomicInteger open = new AtomicInteger();
    private volatile long lastBroken = System.nanoTime();
    private volatile @Nullable LateLogin lateLogin;
    private volatile @Nullable Destination destination;
    private volatile Optional<Connections> borrowed = Optional.empty();
    private volatile boolean closed;

    /** @param loginLimit when a login is given up that no borrower waits for any more */
    public KeptConnections(
            Opener opener, Dialect dialect, String database, int most, Duration patience, Duration loginLimit) {
        this(opener, dialect, watching(new SessionChange(dialect)), database, most, patience, loginLimit);
    }

    private static Function<Connection, WatchedConnection> watching(SessionChange changes) {
        return connection -> new WatchedConnection(connection, changes);
    }

    KeptConnections(
            Opener opener,
            Dialect dialect,
            Function<Connection, WatchedConnection> watching,
            String database,
            int most,
            Duration patience,
            Duration loginLimit) {
        this.patience = patience;
        this.most = most;
        this.loginLimit = loginLimit;
        turns = new Semaphore(most + 1, true);
        ownWork = new Use(most);
        callersWork = new Use(most);
        this.opener = opener;
        this.dialect = dialect;
        this.watching = watching;
        this.database = database;
    }

    /**
     * Adds the first connection, and ends it later unless this throws. The others must lead to the same database.
     *
     * @param lending lends the connections of callers' transactions instead
     */
    public void keep(Connection connection, Optional<Connections> lending) throws SQLException {
        borrowed = lending;
        destination = Destination.of(connection);
        prepare(connection);
        open.incrementAndGet();
        ownWork.idle.addFirst(new Idle(connection, System.nanoTime()));
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException, InterruptedException {
        return forWork(ownWork, deadline);
    }

    @Override
    public Lease forCallers(long deadline) throws SQLException, InterruptedException {
        return borrowed.isPresent() ? borrowed.get().forCallers(deadline) : forWork(callersWork, deadline);
    }

    private Lease forWork(Use use, long deadline) throws SQLException, InterruptedException {
        if (closed) {
            throw SqlFailures.closed(database);
        }
        await(use.turns, deadline);
        Connection connection;
        try {
            await(turns, deadline);
            connection = idleOrNew(use, deadline);
        } catch (Throwable e) {
            use.turns.release();
            throw e;
        }
        return lease(connection, use); // releases both turns if it throws
    }

    /** Acquires a permit that no other thread waits for. */
    private static boolean takes(Semaphore semaphore) {
        return !semaphore.hasQueuedThreads() && semaphore.tryAcquire();
    }

    private void await(Semaphore semaphore, long deadline) throws SQLException, InterruptedException {
        if (!semaphore.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            refuse(lateLogin); // that login has one of the turns
            throw new ClassifiedException(Fault.NO_TURN, "no connection to " + database + " was free in time");
        }
    }

    private void refuse(@Nullable LateLogin late) throws LateLogin {
        if (late != null) {
            Optional<String> awaited = opener.awaits(Duration.ZERO, database);
            if (awaited.isPresent()) {
                throw new Unavailable("waited " + late.waited().toMillis() + " ms for " + awaited.get(), late);
            }
            throw late;
        }
    }

    @Override
    public Optional<Lease> idle() {
        return idle(ownWork);
    }

    @Override
    public Optional<Lease> idleForSharing() {
        return idle(callersWork);
    }

    private Optional<Lease> idle(Use use) {
        if (closed || !takes(use.turns)) {
            return Optional.empty();
        }
        if (!takes(turns)) {
            use.turns.release();
            return Optional.empty();
        }
        Idle last = use.idle.pollFirst();
        if (last != null && trusted(last) && !opener.isOthers(last.connection())) {
            return Optional.of(lease(last.connection(), use));
        }
        if (last != null) {
            use.idle.addFirst(last);
        }
        turns.release();
        use.turns.release();
        return Optional.empty();
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return opener.awaits(atLeast, database);
    }

    @Override
    public boolean ownSessions() {
        return !dialect.sharesSessions();
    }

    @Override
    public void close() {
        closed = true;
        endIdle(ownWork);
        endIdle(callersWork);
    }

    private void endIdle(Use use) {
        for (Idle next = use.idle.poll(); next != null; next = use.idle.poll()) {
            end(next.connection());
        }
    }

    private void end(Connection connection) {
        open.decrementAndGet();
        opener.end(connection);
    }

    private Lease lease(Connection connection, Use use) {
        try {
            if (use == ownWork) {
                return new Lease(connection, reusable -> takeBack(connection, use, reusable, true));
            }
            WatchedConnection watched = watching.apply(connection);
            return new Lease(
                    connection,
                    watched.lent(),
                    reusable -> takeBack(connection, use, reusable, reusable && watched.isUnchanged()));
        } catch (Throwable e) {
            takeBack(connection, use, false, false);
            throw e;
        }
    }

    /** A connection idle for long may have been cut off; when one has broken, others may have too. */
    private boolean trusted(Idle last) {
        return System.nanoTime() - last.since() < TRUSTED_NANOS && last.since() - lastBroken > 0;
    }

    /** Releases the turn if this throws, or once an abandoned login ends. */
    private Connection idleOrNew(Use use, long deadline) throws SQLException, InterruptedException {
        boolean turnEnds = true;
        try {
            Connection connection = checkedIdle(use, deadline);
            if (connection == null) {
                LoginWait login = new LoginWait(() -> opened(use), this::end);
                try {
                    // At least a second, since a login takes a moment on a busy machine.
                    connection = own(use, login.until(Math.max(deadline, System.nanoTime() + SECOND_NANOS)));
                } catch (LateLogin | InterruptedException e) {
                    lateLogin = e instanceof LateLogin late ? late : null;
                    turnEnds = false;
                    login.leave(loginLimit, late -> keepForNext(use, late), this::loginEnds);
                    refuse(lateLogin);
                    throw e;
                }
            }
            turnEnds = false;
            return connection;
        } finally {
            if (turnEnds) {
                turns.release();
            }
        }
    }

    private void keepForNext(Use use, Connection connection) {
        use.idle.addFirst(new Idle(connection, System.nanoTime()));
        if (closed) {
            close();
        }
    }

    private void loginEnds() {
        lateLogin = null;
        turns.release();
    }

    /**
     * Checks idle connections for half of the time that is left, or 5 s. The rest are dropped: if one does not answer, the
     * others will not either.
     */
    private @Nullable Connection checkedIdle(Use use, long deadline) {
        long now = System.nanoTime();
        long until = now + Math.max(SECOND_NANOS, Math.min(CHECK_NANOS, (deadline - now) / 2));
        Idle last = use.idle.pollFirst();
        if (last == null && use == callersWork && open.get() > most) {
            last = ownWork.idle.pollLast();
        }
        for (; last != null; last = use.idle.pollFirst()) {
            Connection connection = own(use, last.connection());
            if (trusted(last) || answers(connection, until - System.nanoTime())) {
                return connection;
            }
            end(connection);
        }
        return null;
    }

    private Connection own(Use use, Connection connection) {
        if (opener.isOthers(connection)) {
            keepForNext(use, connection);
            throw Lender.othersTransaction();
        }
        return connection;
    }

    /** To a driver, 0 means no limit, and the unit is a second. */
    private static boolean answers(Connection connection, long nanos) {
        try {
            return nanos > 0 && connection.isValid((int) ((nanos + SECOND_NANOS - 1) / SECOND_NANOS));
        } catch (Throwable e) { // Error too: a new connection shows whether the driver works
            return false;
        }
    }

    private Connection opened(Use use) throws SQLException {
        if (open.incrementAndGet() > most + 1) {
            endUnused(use);
        }
        Connection connection = null;
        boolean prepared = false;
        try {
            connection = opener.open();
            Destination first = destination;
            if (first != null) {
                first.checkSame(Destination.of(connection));
            }
            prepare(connection);
            prepared = true;
            return connection;
        } catch (SQLException e) {
            if (dialect.fault(e) == Fault.NO_TURN) {
                endUnused(use); // the server is full: the next attempt finds room
            }
            throw e;
        } finally {
            if (!prepared) {
                open.decrementAndGet();
                if (connection != null) {
                    opener.end(connection);
                }
            }
        }
    }

    private void endUnused(Use use) {
        Idle unused = (use == ownWork ? callersWork : ownWork).idle.pollLast();
        if (unused != null) {
            end(unused.connection());
        }
    }

    private void prepare(Connection connection) throws SQLException {
        dialect.makeDurable(connection);
        dialect.boundLockWaits(connection, patience);
    }

    /** Asks the driver, not the server. */
    private static boolean isOpen(Connection connection) {
        try {
            return !connection.isClosed();
        } catch (Throwable e) {
            return false;
        }
    }

    private void takeBack(Connection connection, Use use, boolean reusable, boolean unchanged) {
        boolean usable = reusable && isOpen(connection);
        try {
            if (usable && unchanged) {
                use.idle.addFirst(new Idle(connection, System.nanoTime()));
            } else {
                if (!usable) {
                    lastBroken = System.nanoTime();
                }
                end(connection);
            }
        } finally {
            turns.release();
            use.turns.release();
        }
        if (closed) {
            close();
        }
    }
}
