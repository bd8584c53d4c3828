// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import dev.seriatim.GaplessSequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.store.Pauses;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.TransactionScope;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store's transactions: each commits or rolls back, and returns its connection. Thread-safe. */
@SuppressWarnings("try") // waits are declared only to be closed
public final class Transactions {

    /** Default time that a call waits for conflicts with other sessions to end. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final String AUTO_COMMIT = """
            this connection is in auto-commit mode, so it is not in the transaction that stores the number; draw \
            on the connection of that one: in Spring DataSourceUtils.getConnection(dataSource) or a connection of a \
            TransactionAwareDataSourceProxy; in JPA \
            entityManager.unwrap(Session.class).doReturningWork(sequence::next); in plain JDBC the connection on \
            which you called setAutoCommit(false); in JTA a connection of its XA data source, inside the \
            transaction""";

    /** Converts a failed query to a result or an exception. */
    @FunctionalInterface
    public interface Otherwise<R> {
        R instead(Fault fault, SQLException e) throws SQLException;
    }

    private static final String UNDONE = """
            the last step ended the transaction (by a COMMIT, a ROLLBACK or a statement that commits implicitly), rolled back to \
            an older savepoint or released it, or swallowed the exception of a deadlock; remove that, or let the exception propagate""";

    @FunctionalInterface
    private interface Attempt<R> {
        R by(long deadline) throws SQLException, InterruptedException;
    }

    private final Connections connections;
    private final Dialect dialect;
    private final SqlFailures failures;
    private final Duration patience;
    private final boolean boundsAnswers;

    public Transactions(Connections connections, SqlFailures failures) {
        // Where nothing limits the wait for a lock, a limit for the answer would leave statements that go on waiting.
        this(connections, failures, failures.dialect().boundsLockWaits());
    }

    private Transactions(Connections connections, SqlFailures failures, boolean boundsAnswers) {
        this.connections = connections;
        this.dialect = failures.dialect();
        this.failures = failures;
        this.patience = failures.patience();
        this.boundsAnswers = boundsAnswers;
    }

    /** Returns the same for queries that may take long. */
    public Transactions forLongQueries() {
        return new Transactions(connections, failures, false);
    }

    /** Returns the same for creating the table, or that with this suffix. */
    public Transactions creating(String suffix) {
        return new Transactions(connections, failures.creating(suffix), boundsAnswers);
    }

    /** Runs the work in a transaction; after a conflict, repeats it all until the patience ends. */
    public <R> R retrying(String name, SqlWork<R> work) {
        return untilPatienceEnds(name, deadline -> once(name, deadline, work));
    }

    /** Runs a statement that is a transaction of its own; after a conflict, repeats it until the patience ends. */
    public <R> R alone(String name, SqlWork<R> statement) {
        return untilPatienceEnds(name, deadline -> single(name, deadline, statement));
    }

    public void createDatabase() {
        untilPatienceEnds(SqlFailures.UNNAMED, deadline -> {
            connections.create(deadline);
            return true;
        });
    }

    public <R> R reading(String name, SqlWork<R> query) {
        return reading(name, query, (fault, e) -> {
            throw e;
        });
    }

    /** Runs a query outside transactions that follows others at short intervals. */
    public <R> R readingOften(String name, SqlWork<R> query) {
        return untilPatienceEnds(name, deadline -> queried(query, connections.forFrequentReading(deadline), deadline));
    }

    /** Runs a query outside transactions, with a handler for its failure. */
    public <R> R reading(String name, SqlWork<R> query, Otherwise<R> otherwise) {
        return untilPatienceEnds(name, deadline -> {
            try {
                return queried(query, connections.forReading(deadline), deadline);
            } catch (SQLException e) {
                return otherwise.instead(failures.fault(e), e);
            }
        });
    }

    /**
     * Runs a query outside transactions on a thread that may wait only for the answer. Empty if no connection is free, if the
     * driver cannot bound the wait, or if the query fails; then the connection is closed.
     */
    public <R> Optional<R> readingHere(SqlWork<R> query, Duration atMost) {
        // To a driver, no time at all is time without end.
        Optional<Connections.Lease> idle = atMost.toMillis() < 1 ? Optional.empty() : connections.idle();
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        Connections.Lease lease = idle.get();
        boolean done = false;
        try {
            Optional<R> result;
            try (AnswerWait wait = AnswerWait.atMost(lease.connection(), atMost)) {
                result = wait.isBounded() ? Optional.of(query.run(lease.connection())) : Optional.empty();
            }
            done = true; // not before the limit is taken off
            return result;
        } catch (SQLException e) {
            return Optional.empty();
        } finally {
            lease.release(done);
        }
    }

    /** Runs the caller's work in a transaction, once. */
    public <R, X extends Exception> R scope(TransactionScope.Work<Connection, R, X> work) throws X {
        Connections.Lease lease =
                untilPatienceEnds(SqlFailures.UNNAMED, deadline -> begunOn(connections.forCallers(deadline), deadline));
        try {
            R result = work.run(lease.lent());
            try {
                commit(SqlFailures.UNNAMED, lease.connection());
            } catch (SQLException e) {
                throw failures.atCommit(e);
            }
            return result;
        } finally {
            rollBack(lease);
        }
    }

    /** Begins a transaction for others to work in, which the caller ends with the methods below. */
    public Connections.Lease begin(String name) {
        return untilPatienceEnds(name, deadline -> begunOn(connections.forSharing(deadline), deadline));
    }

    /** Begins a transaction; empty if that is not possible. */
    @FunctionalInterface
    public interface Beginning<R> {
        Optional<R> on(Connections.Lease lease) throws SQLException;
    }

    /**
     * Like {@link #begin}, with the transaction's first statement, on a thread that may wait only for an answer. Empty if no
     * connection is free, if the driver cannot bound the wait, or if a call fails; then nothing has begun.
     */
    public <R> Optional<R> beginningHere(Duration atMost, Beginning<R> beginning) {
        // To a driver, no time at all is time without end.
        Optional<Connections.Lease> idle = atMost.toMillis() < 1 ? Optional.empty() : connections.idleForSharing();
        if (idle.isEmpty()) {
            return Optional.empty();
        }
        Connections.Lease lease = idle.get();
        Optional<R> begun = Optional.empty();
        boolean lent = false;
        boolean ended = false;
        try {
            try (AnswerWait wait = AnswerWait.atMost(lease.connection(), atMost)) {
                try {
                    if (wait.isBounded()) {
                        dialect.begin(lease.connection());
                        begun = beginning.on(lease);
                    }
                } catch (SQLException e) {
                    // Beginning it again says why. This wait for a lock was short, so its end shows no change of the
                    // session.
                    if (!failures.fault(e).isTransient()) {
                        WatchedConnection.ownWorkFailed(lease.lent(), e);
                    }
                } catch (RuntimeException | Error e) {
                    WatchedConnection.ownWorkFailed(lease.lent(), e);
                    throw e;
                } finally {
                    ended = begun.isEmpty() && ended(lease.connection());
                }
            }
            lent = begun.isPresent();
            return begun;
        } finally {
            if (!lent) {
                lease.release(ended);
            }
        }
    }

    /**
     * Commits such a transaction on a thread that waits no longer than this for the answer; after that, the outcome is unknown.
     * Returns false without effect if the driver cannot bound the wait.
     */
    public boolean commitHere(String name, Connections.Lease lease, Duration atMost) throws SQLException {
        boolean stays = false;
        boolean ended = false;
        try (AnswerWait wait = AnswerWait.atMost(lease.connection(), atMost)) {
            if (!wait.isBounded()) {
                stays = true;
                return false;
            }
            try {
                commit(name, lease.connection());
            } finally {
                ended = ended(lease.connection());
            }
        } catch (RuntimeException | Error e) {
            ended = false; // the limit may still be set
            throw e;
        } finally {
            if (!stays) {
                lease.release(ended);
            }
        }
        return true;
    }

    /** Commits such a transaction. It has ended afterwards, whatever happens. */
    public void commit(String name, Connections.Lease lease) throws SQLException {
        try {
            commit(name, lease.connection());
        } finally {
            rollBack(lease);
        }
    }

    /** Rolls such a transaction back; disconnects the connection if that fails. */
    public void rollBack(Connections.Lease lease) {
        boolean ended = false;
        try {
            ended = ended(lease.connection());
        } finally {
            lease.release(ended);
        }
    }

    /**
     * Runs work in the caller's transaction; never ends it. Waits one second longer for an answer than for a lock, so
     * that the database has time to report the lock.
     */
    public <R> R inside(Connection transaction, String name, Duration atMost, SqlWork<R> work) {
        SequenceDefinition.checkName(name);
        long began = System.nanoTime();
        Connection own = WatchedConnection.own(transaction);
        try {
            dialect.checkRepeatsNothing(own);
            Runnable restore = dialect.nameNothing(own);
            try (AnswerWait wait = AnswerWait.atMost(own, atMost.plusSeconds(1))) {
                if (own.getAutoCommit() && !isOpenAnyway(own)) {
                    throw new Misconfigured(name, AUTO_COMMIT);
                }
                return work.run(own);
            } finally {
                restore.run();
            }
        } catch (SQLException e) {
            WatchedConnection.ownWorkFailed(transaction, e);
            Duration waited = Duration.ofNanos(System.nanoTime() - began);
            // Called only after the server has just answered: MySQL's driver queries it again.
            boolean readOnly = failures.fault(e) == Fault.READ_ONLY && isReadOnly(own);
            throw failures.inDraw(name, e, readOnly, waited);
        } catch (RuntimeException | Error e) {
            WatchedConnection.ownWorkFailed(transaction, e);
            throw e;
        }
    }

    /**
     * Draws in the caller's transaction, runs the last step there, and commits; rolls back if the step or the commit fails, or if
     * the draw is no longer in force after the step. Waits one second longer for the commit's answer than for a lock.
     *
     * @param row reads the counter
     */
    public <X extends Exception> long last(
            Connection transaction,
            String name,
            Duration atMost,
            SqlWork<Long> draw,
            SqlWork<Optional<SequenceState>> row,
            GaplessSequence.LastStep<X> step)
            throws X {
        long number = inside(transaction, name, atMost, connection -> {
            if (connection.getAutoCommit()) {
                throw new Misconfigured(name, AUTO_COMMIT); // in JTA, whose manager commits
            }
            return draw.run(connection);
        });
        Connection own = WatchedConnection.own(transaction);
        try {
            // Not before the draw: a draw in a subtransaction of PostgreSQL slows those who wait for the row.
            Seal seal = inside(transaction, name, atMost, dialect::seal);
            step.run(number);
            try (AnswerWait wait = AnswerWait.atMost(own, atMost.plusSeconds(1))) {
                check(name, own, number, seal, row);
                commit(name, transaction);
            } catch (SQLException e) {
                throw failures.atCommit(e);
            }
        } catch (Throwable e) {
            try (AnswerWait wait = AnswerWait.atMost(own, atMost.plusSeconds(1))) {
                if (!transaction.getAutoCommit()) {
                    dialect.restartIfEnded(own);
                    transaction.rollback();
                }
            } catch (SQLException | RuntimeException lost) {
                e.addSuppressed(lost);
            }
            throw e;
        }
        beginAgain(transaction);
        return number;
    }

    /** Throws unless the draw is still in force. */
    private void check(
            String name, Connection connection, long number, Seal seal, SqlWork<Optional<SequenceState>> row) {
        try {
            if (!seal.holds(connection)
                    || !(seal.isSavepoint()
                            || row.run(connection)
                                    .filter(state -> state.isBeyond(number))
                                    .isPresent())) {
                throw new Misconfigured(name, UNDONE);
            }
        } catch (SQLException e) {
            throw switch (failures.fault(e)) {
                case LOST -> new CommitOutcomeUnknown(name, e); // the step may have committed
                case OTHER -> new Misconfigured(name, UNDONE + " (" + SqlFailures.oneLine(e) + ")", e);
                default -> failures.inTransaction(name, e);
            };
        }
    }

    /** Some commits end with auto-commit mode, in which the caller has not been. */
    private void beginAgain(Connection committed) {
        try {
            if (committed.getAutoCommit()) {
                dialect.begin(committed);
            }
        } catch (SQLException e) {
            // The number is committed; what the caller does next fails.
        }
    }

    /** In JTA, a connection may join the transaction with its first statement, or report auto-commit mode throughout. */
    private boolean isOpenAnyway(Connection transaction) throws SQLException {
        Sql.execute(transaction, "SELECT 1");
        return !transaction.getAutoCommit() || dialect.openBesideAutoCommit(transaction);
    }

    private static boolean isReadOnly(Connection connection) {
        try {
            return connection.isReadOnly();
        } catch (SQLException | RuntimeException unknown) {
            return false;
        }
    }

    private <R> R queried(SqlWork<R> query, Connections.Lease lease, long deadline) throws SQLException {
        boolean done = false;
        try {
            R result;
            try (AnswerWait wait = answerWait(lease.connection(), deadline)) {
                result = query.run(lease.connection());
            }
            done = true; // not before the limit is taken off
            return result;
        } catch (SQLException e) {
            done = failures.fault(e).nothingCommitted() && outside(lease.connection(), e);
            throw e;
        } catch (NotFound | Misconfigured e) {
            done = outside(lease.connection(), e); // thrown by the work itself, after the answers arrived
            throw e;
        } finally {
            lease.release(done);
        }
    }

    /** Without a limit for the answer, which would cost a tenth of the draws: the engine's callers do not wait beyond their patience. */
    private <R> R single(String name, long deadline, SqlWork<R> statement) throws SQLException, InterruptedException {
        Connections.Lease lease = connections.forWriting(deadline);
        boolean done = false;
        try {
            R result = statement.run(lease.connection());
            done = true;
            return result;
        } catch (SQLException e) {
            // The statement includes its own commit, so a lost answer is that of a commit. A node that is not ready is
            // waited for.
            done = failures.fault(e).nothingCommitted() || failures.refusesCommit(e);
            if (done) {
                throw e;
            }
            throw new CommitOutcomeUnknown(name, e);
        } catch (SequenceException e) {
            done = true; // thrown by the work itself, after the answers arrived
            throw e;
        } finally {
            lease.release(done);
        }
    }

    private <R> R once(String name, long deadline, SqlWork<R> work) throws SQLException, InterruptedException {
        Connections.Lease lease = begunOn(connections.forWriting(deadline), deadline);
        try {
            try (AnswerWait wait = answerWait(lease.connection(), deadline)) {
                R result = refusable(lease.connection(), bounded(dialect.ownLockWait(left(deadline)), work));
                // Not before the work, which may have to be the first to query.
                dialect.commitDurably(lease.connection());
                commit(name, lease.connection());
                return result;
            }
        } finally {
            rollBack(lease);
        }
    }

    /** Returns the same work, whose prepared statements limit their wait for locks. */
    private static <R> SqlWork<R> bounded(LockWait wait, SqlWork<R> work) {
        return wait == LockWait.UNBOUNDED
                ? work
                : connection -> work.run(LentConnection.proxy(Connection.class, (self, method, arguments) -> {
                    boolean prepares = method.getName().equals("prepareStatement");
                    if (prepares) {
                        arguments[0] = wait.bounded((String) arguments[0]);
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (prepares) {
                            wait.bound((PreparedStatement) result);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }

    /** Waits one second longer for answers than for locks, so that the database has time to report the lock. */
    private @Nullable AnswerWait answerWait(Connection connection, long deadline) {
        return boundsAnswers ? AnswerWait.atMost(connection, left(deadline).plusSeconds(1)) : null;
    }

    private static Duration left(long deadline) {
        long left = Math.max(1, deadline - System.nanoTime());
        return Duration.ofNanos(left).plusSeconds(1).minusNanos(1).truncatedTo(ChronoUnit.SECONDS);
    }

    /** The store's own work refuses before it writes, so at most a lock needs undoing. */
    private <R> R refusable(Connection connection, SqlWork<R> work) throws SQLException {
        try {
            return work.run(connection);
        } catch (RuntimeException refusal) {
            try {
                dialect.endUnchanged(connection);
            } catch (SQLException e) {
                refusal.addSuppressed(e);
            }
            throw refusal;
        }
    }

    /** Begins a transaction. The connection keeps its turn while another process blocks it. */
    private Connections.Lease begunOn(Connections.Lease lease, long deadline)
            throws SQLException, InterruptedException {
        Pauses pauses = new Pauses(deadline, dialect.longestPause());
        try {
            try (AnswerWait wait = answerWait(lease.connection(), deadline)) {
                while (!beginOrPause(lease.connection(), pauses)) {}
            }
            return lease;
        } catch (Throwable e) {
            rollBack(lease);
            throw e;
        }
    }

    private boolean beginOrPause(Connection connection, Pauses pauses) throws SQLException, InterruptedException {
        try {
            dialect.begin(connection);
            return true;
        } catch (SQLException e) {
            if (failures.fault(e).isTransient() && pauses.pause()) {
                return false;
            }
            throw e;
        }
    }

    private void commit(String name, Connection connection) throws SQLException {
        try {
            dialect.commit(connection);
        } catch (SQLException e) {
            if (failures.refusesCommit(e)) {
                throw failures.refused(e);
            }
            throw name.equals(SqlFailures.UNNAMED) ? new CommitOutcomeUnknown(e) : new CommitOutcomeUnknown(name, e);
        }
    }

    /** Ends an open transaction within the patience; returns whether the connection is reusable. */
    private boolean ended(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                try (AnswerWait wait = AnswerWait.atMost(connection, patience.plusSeconds(1))) {
                    // After a commit, there is nothing left to undo. If this fails, nothing may follow that commits.
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
            }
            return true;
        } catch (Throwable e) { // Error too: a driver whose classes are gone must not keep the lock
            return false;
        }
    }

    /** Returns whether a failed query has left no transaction open. */
    private static boolean outside(Connection connection, Exception failure) throws SQLException {
        return failure.getSuppressed().length == 0 && connection.getAutoCommit();
    }

    private <R> R untilPatienceEnds(String name, Attempt<R> attempt) {
        SequenceDefinition.checkName(name); // engines treat invalid names differently, or reject them
        long deadline = System.nanoTime() + patience.toNanos();
        Pauses pauses = new Pauses(deadline, dialect.longestPause());
        try {
            while (true) {
                try {
                    return attempt.by(deadline);
                } catch (SQLException e) {
                    Fault fault = failures.fault(e);
                    // A full server has a connection free in a moment, such as one that was closed just now.
                    if (!(fault.isTransient() || fault == Fault.NO_TURN) || !pauses.pause()) {
                        throw failures.own(name, e);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failures.interrupted(name, e);
        }
    }
}
