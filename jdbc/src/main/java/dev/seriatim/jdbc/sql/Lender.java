// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Borrows connections from the user's data source or pool, and returns each in the auto-commit mode in which it was lent.
 * A transaction that is already open on one belongs to another owner: it is never ended, and the connection is refused.
 * Thread-safe.
 *
 * @param isOpen detects an open transaction before the engine is known
 * @param scrubbing removes secrets from the data source's exceptions
 * @param waits the threads that wait for a connection, with the times since when: a pool reports exhaustion only after its own
 *     timeout
 * @param first where the first connection led
 */
public record Lender(
        DataSource source,
        SqlWork<Boolean> isOpen,
        Scrubbing scrubbing,
        Map<Thread, Long> waits,
        AtomicReference<@Nullable Destination> first) {

    private static final String SPRINGS_ROUTING =
            "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

    public Lender(DataSource source, SqlWork<Boolean> isOpen) {
        this(source, isOpen, Scrubbing.OF_ANY_URL);
    }

    public Lender(DataSource source, SqlWork<Boolean> isOpen, Scrubbing scrubbing) {
        this(source, isOpen, scrubbing, new ConcurrentHashMap<>(), new AtomicReference<>());
    }

    /** Runs work on a connection in auto-commit mode before its engine is known. */
    public <R> R look(SqlWork<R> work) throws SQLException {
        Connections.Lease lease = borrow();
        try {
            return work.run(lease.connection());
        } finally {
            lease.release(true);
        }
    }

    Connections.Lease borrow() throws SQLException {
        Taken taken = take();
        Connection connection = taken.connection;
        try {
            checkPlace(connection);
        } catch (Throwable e) {
            giveBack(connection, taken.automatic, true);
            throw e;
        }
        return new Connections.Lease(connection, reusable -> giveBack(connection, taken.automatic, reusable));
    }

    private record Taken(Connection connection, boolean automatic) {}

    private Taken take() throws SQLException {
        Connection connection = connect();
        try {
            boolean automatic = connection.getAutoCommit();
            if (!automatic) {
                leaveManualCommit(connection);
            } else if (isOpen.run(connection)) {
                throw new Misconfigured("""
                        a connection of the data source has an open transaction begun by SQL (BEGIN, START TRANSACTION, \
                        SET autocommit = 0) or JTA; end it in the code that begins it, or \
                        begin it with setAutoCommit(false); in JTA, give the store a data source outside JTA""");
            }
            return new Taken(connection, automatic);
        } catch (Throwable e) {
            Sql.close(connection); // unchanged: the transaction on it is not ours
            throw e;
        }
    }

    /** Returns the opener of connections beside a HikariCP pool; empty for other sources. */
    public Optional<KeptConnections.Opener> beside(Duration patience) throws SQLException {
        Optional<LoginWait.Login> beside = routes(source) ? Optional.empty() : HikariConnections.beside(source);
        return beside.isPresent() && leadTo(beside.get(), patience)
                ? beside.map(supply -> () -> scrubbing.opened(supply))
                : Optional.empty();
    }

    /** A wrapper of the pool may choose another schema; if the pool is exhausted, assumes that none does. */
    private boolean leadTo(LoginWait.Login beside, Duration patience) throws SQLException {
        if (source.getClass().getName().equals("com.zaxxer.hikari.HikariDataSource")) {
            return true;
        }
        try {
            return destination(source::getConnection, patience).equals(destination(beside, patience));
        } catch (SQLException e) {
            if (e instanceof LateLogin || ExhaustedPool.is(e)) {
                return true;
            }
            throw e;
        }
    }

    private Destination destination(LoginWait.Login login, Duration patience) throws SQLException {
        Connection connection = LoginWait.atMost(patience, () -> scrubbing.opened(login));
        try {
            return Destination.of(connection);
        } finally {
            Sql.close(connection);
        }
    }

    /** Returns the opener that takes connections of the source for good. */
    public KeptConnections.Opener taking() {
        return new Taking();
    }

    /**
     * Returns whether the store may keep a connection: not if each has a private database, or if borrowers share one.
     *
     * @throws Misconfigured if the source lends one connection at a time
     */
    public boolean spares(Duration patience) throws SQLException {
        return !routes(source) && look(first -> !isPrivate(first) && sparesBeside(first, patience));
    }

    private boolean sparesBeside(Connection first, Duration patience) throws SQLException {
        try {
            Connection second = LoginWait.atMost(patience, () -> scrubbing.opened(source::getConnection));
            if (second != first) {
                Sql.close(second);
            }
            return second != first;
        } catch (SQLException e) {
            if (e instanceof LateLogin || ExhaustedPool.is(e)) {
                throw new Misconfigured("""
                        the data source lends no second connection within %s ms, and the store keeps one; enlarge its \
                        pool, or use JdbcSequences.borrowing""".formatted(patience.toMillis()));
            }
            throw e;
        }
    }

    /** Returns whether only this connection reaches its database, see {@link DriverUrl#isPrivate}. */
    public static boolean isPrivate(Connection connection) throws SQLException {
        return new DriverUrl(String.valueOf(connection.getMetaData().getURL())).isPrivate();
    }

    /** Returns whether a data source is, or a proxy of, Spring's AbstractRoutingDataSource or a class of that name. */
    public static boolean routes(DataSource source) {
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals("AbstractRoutingDataSource")) {
                return true;
            }
        }
        try { // a proxy may stand before it
            return source.isWrapperFor(
                    Class.forName(SPRINGS_ROUTING, false, source.getClass().getClassLoader()));
        } catch (ClassNotFoundException | LinkageError | SQLException e) {
            return false;
        }
    }

    /** Takes connections of the source. One that is ended is disconnected where the driver can do that. */
    private final class Taking implements KeptConnections.Opener {

        private volatile boolean automatic = true;

        @Override
        public Connection open() throws SQLException {
            Taken taken = take();
            automatic = taken.automatic; // a pool lends all in one mode
            return taken.connection;
        }

        @Override
        public Connection first(Duration patience) throws SQLException {
            return open(); // on the caller's thread, which may choose where the source leads
        }

        @Override
        public boolean isOthers(Connection connection) {
            try {
                if (connection.isClosed()) {
                    return false;
                }
                connection.createStatement().close(); // with this, Atomikos joins the transaction
                return !connection.getAutoCommit() || isOpen.run(connection);
            } catch (SQLException e) {
                return true; // as Agroal's in a transaction of JTA
            }
        }

        @Override
        public void end(Connection connection) {
            discard(connection, automatic);
        }

        @Override
        public Optional<String> awaits(Duration atLeast, String database) {
            return Lender.this.awaits(atLeast, database);
        }
    }

    private Connection connect() throws SQLException {
        long began = System.nanoTime();
        waits.put(Thread.currentThread(), began);
        try {
            return source.getConnection();
        } catch (SequenceException e) {
            throw e;
        } catch (SQLException e) {
            SQLException shown = scrubbing.of(e);
            throw ExhaustedPool.is(e)
                    ? ExhaustedPool.told(shown, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                    : shown;
        } catch (RuntimeException e) {
            throw scrubbing.of(e);
        } finally {
            waits.remove(Thread.currentThread());
        }
    }

    /** Refuses a source that routes to another database. */
    private void checkPlace(Connection connection) throws SQLException {
        Destination place = Destination.byUrl(connection);
        if (!first.compareAndSet(null, place)) {
            Objects.requireNonNull(first.get()).checkSame(place);
        }
    }

    /** A pool may lend connections in manual-commit mode without an open transaction; then there is nothing to end. */
    private void leaveManualCommit(Connection connection) throws SQLException {
        if (isOpen.run(connection)) {
            throw othersTransaction();
        }
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            if (stillThere(connection)) {
                throw othersTransaction(); // belongs to a transaction manager, which controls its connections
            }
            throw e;
        }
    }

    private static boolean stillThere(Connection connection) {
        try {
            return !connection.isClosed() && !connection.getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }

    static Misconfigured othersTransaction() {
        return new Misconfigured("""
                the data source returned a connection with an open transaction of the caller, which Seriatim must not \
                end; give the store the underlying data source (the target of Spring's \
                TransactionAwareDataSourceProxy, or one outside JTA), or call this outside the transaction""");
    }

    private static void giveBack(Connection connection, boolean automatic, boolean reusable) {
        if (!reusable) {
            discard(connection, automatic);
            return;
        }
        try {
            if (!automatic) {
                connection.setAutoCommit(false);
            }
        } catch (Throwable e) {
            // The work is committed or rolled back; a pool detects a broken connection itself.
        } finally {
            Sql.close(connection);
        }
    }

    /** Returns what calls wait for in the data source, if the first has waited for at least {@code atLeast}. */
    Optional<String> awaits(Duration atLeast, String database) {
        long now = System.nanoTime();
        LongSummaryStatistics waited =
                waits.values().stream().mapToLong(began -> now - began).summaryStatistics();
        if (waited.getCount() == 0 || waited.getMax() < atLeast.toNanos()) {
            return Optional.empty();
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(waited.getMax());
        return Optional.of("""
                a connection of the data source of %s (calls of this store waiting for one: %s, the first for \
                %s ms), so its pool is exhausted or cannot connect; if it is exhausted, %s; if not, check that \
                the server runs and is reachable""".formatted(database, waited.getCount(), ms, ExhaustedPool.REMEDY));
    }

    @FunctionalInterface
    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /**
     * Disconnects a connection whose transaction could not be ended, so that the database rolls back, and returns it to its pool;
     * never throws and never commits. In order:
     *
     * <ol>
     *   <li>Aborts the session. The drivers of SQLite and H2 ignore that call.
     *   <li>If the session still answers, sends the database a rollback; the connection is then reusable.
     *   <li>Otherwise closes the session beneath the pool's wrapper and makes a last call fail through the wrapper,
     *       so that the pool notices and lends another connection next.
     * </ol>
     */
    private static void discard(Connection connection, boolean automatic) {
        attempt(connection, c -> c.abort(Runnable::run));
        if (attempt(connection, c -> Sql.execute(c, "ROLLBACK"))) {
            attempt(connection, c -> c.setAutoCommit(automatic));
        } else {
            attempt(connection, Lender::closeSession);
            attempt(connection, Connection::rollback);
        }
        attempt(connection, Connection::close);
    }

    private static void closeSession(Connection connection) throws SQLException {
        if (connection.isWrapperFor(Connection.class)) {
            connection.unwrap(Connection.class).close();
        }
    }

    /** Returns whether the step succeeded; the next step runs whatever it throws. */
    private static boolean attempt(Connection connection, Step step) {
        try {
            step.on(connection);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }
}
