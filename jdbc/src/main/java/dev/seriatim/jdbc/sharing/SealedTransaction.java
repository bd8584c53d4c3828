// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.sql.Connections;
import dev.seriatim.jdbc.sql.CounterDraw;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.jdbc.sql.WatchedConnection;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that callers share, with the counter's row locked in it. A {@link LateSeal} shows whether it has ended
 * before it is committed or rolled back.
 *
 * <p>Used by one thread at a time.
 */
class SealedTransaction implements SharedTransaction<Connection> {

    private final Transactions transactions;
    private final Connections.Lease lease;
    private final SequenceState counter;

    /** The counter as its row holds it in this transaction. */
    private final SequenceState written;

    /** The transaction began on a caller's thread and may be committed on one. */
    private final boolean here;

    private final CounterRows rows;
    private final SqlFailures failures;
    private final LateSeal seal;

    private final GuardedConnection guard;

    private @Nullable Drawn last;

    SealedTransaction(
            Sharing sharing, Connections.Lease lease, CounterDraw.Locked locked, LateSeal seal, boolean here) {
        transactions = sharing.transactions();
        rows = sharing.rows();
        failures = sharing.failures();
        this.lease = lease;
        counter = locked.before();
        written = locked.written();
        this.here = here;
        this.seal = seal;
        guard = new GuardedConnection(failures.dialect(), lease.lent(), rows, seal);
    }

    @Override
    public Connection handle(Drawn drawn) {
        last = drawn;
        return guard.lentTo(drawn);
    }

    @Override
    public SequenceState counter() {
        return counter;
    }

    @Override
    public Blame blame(Throwable thrown) {
        return SqlFailures.causes(thrown)
                .filter(SQLException.class::isInstance)
                .findFirst()
                .map(cause -> switch (failures.fault((SQLException) cause)) {
                    case CONFLICT -> Blame.OTHER_SESSION;
                    case SPOILED, LIMIT -> Blame.EARLIER_UNIT;
                    default -> Blame.UNIT;
                })
                .orElse(Blame.UNIT);
    }

    @Override
    public void commit(SequenceState after) {
        checkSeal();
        boolean written = false;
        try {
            if (!isWritten(after)) {
                write(after);
            }
            written = true;
        } catch (SQLException e) {
            throw failure(e); // marks the connection before it is released
        } catch (RuntimeException | Error e) {
            WatchedConnection.ownWorkFailed(lease.lent(), e);
            throw e;
        } finally {
            if (!written) {
                end();
            }
        }
        guard.end();
        try {
            transactions.commit(name(), lease);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** {@inheritDoc} Only if nothing is left to write: of several calls, each could take as long. */
    @Override
    public boolean commitHere(SequenceState after, Duration atMost) {
        if (!here || !seal.isNotNeeded() || !isWritten(after)) {
            return false;
        }
        guard.end();
        try {
            return transactions.commitHere(name(), lease, atMost);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** Returns the exception to throw if this is no longer the transaction in which the units have worked. */
    private SequenceException ended(@Nullable SQLException why) {
        SQLException failed = guard.failed();
        String because = failed == null ? "" : "; an earlier statement failed (" + SqlFailures.oneLine(failed) + ")";
        SQLException broken = guard.brokenBy();
        if (broken != null && guard.cannotBeCommitted()) {
            return new Misconfigured(name(), """
                    a failed statement rolled back the whole transaction \
                    (%s), and a unit of work swallowed its exception; \
                    nothing was committed, let it propagate""".formatted(SqlFailures.oneLine(broken)), broken);
        }
        if (guard.cannotBeCommitted()) {
            return new Overloaded(
                    name(),
                    failed == null
                            ? "the whole transaction was rolled back; nothing was committed"
                            : """
                                    the whole transaction was rolled back, and a \
                                    unit of work swallowed the exception%s; nothing \
                                    was committed, let the exception propagate""".formatted(because),
                    failed == null ? why : failed);
        }
        String what = isLost(why)
                ? "the connection broke after a unit of work had done something that may have committed"
                : "a unit of work has ended the transaction that it shares with others";
        return new CommitOutcomeUnknown(name(), what + because, new SQLException(what, failed == null ? why : failed));
    }

    /** Rolls back and throws unless this is still the transaction in which the units have worked. */
    private void checkSeal() {
        SequenceException failure = null;
        SQLException why = null;
        boolean checked = false;
        try {
            failure = seal.holds() ? null : ended(null);
            checked = true;
        } catch (SQLException e) {
            if (failures.fault(e).nothingCommitted()) {
                // The same applies to this transaction if it is still the sealed one.
                checked = true;
                rollback();
                throw failure(e);
            }
            why = e;
            // Without its connection, an open transaction is lost, but not one that a unit may already have committed.
            failure = isLost(e) && guard.cannotBeCommitted() ? failure(e) : ended(e);
            checked = true;
        } finally {
            if (!checked) {
                end();
            }
        }
        if (failure != null) {
            end();
            throw isUndone(failure, why) && why != null ? failure(why) : failure;
        }
    }

    @Override
    public void rollback() {
        SequenceException failure = null;
        SQLException why = null;
        try {
            failure = seal.heldUntilNow() ? null : endedBefore(null);
        } catch (SQLException e) {
            why = e;
            failure = endedBefore(e);
        } finally {
            end();
        }
        if (failure != null && !isUndone(failure, why)) {
            throw failure;
        }
    }

    private void end() {
        guard.end();
        transactions.rollBack(lease);
    }

    /** Returns the failure to report to callers who only wanted a rollback; null if the engine has rolled back. */
    private @Nullable SequenceException endedBefore(@Nullable SQLException why) {
        return guard.cannotBeCommitted() ? null : ended(why);
    }

    /** Returns whether nothing was committed although a unit may have; if not, its numbers are not dealt again. */
    private boolean isUndone(SequenceException failure, @Nullable SQLException why) {
        return failure instanceof CommitOutcomeUnknown outcome && keepDrawn(outcome, why);
    }

    /**
     * Moves the counter past what was drawn, in a transaction of its own: a unit that has ended the shared transaction may
     * have committed rows with these numbers, but not the counter. Does nothing after a conflict, which rolls back: the numbers
     * would be missing.
     *
     * @param why the exception that left the outcome unknown, if any
     * @return whether nothing was committed after all: the connection broke, and the counter is where it was before the first
     *     statement of the transaction moved it
     */
    private boolean keepDrawn(CommitOutcomeUnknown outcome, @Nullable SQLException why) {
        SequenceState reached = last == null ? counter : last.counter();
        SQLException failed = guard.failed();
        boolean shows = why != null && (isLost(why) || isLost(failed)) && !written.equals(counter);
        if (!shows && (reached.equals(counter) || (failed != null && failures.fault(failed) == Fault.CONFLICT))) {
            return false;
        }
        try {
            return transactions.retrying(name(), connection -> {
                SequenceState now =
                        rows.lock(connection, name()).orElseThrow(() -> new NotFound(name(), failures.place()));
                if (now.equals(counter) && shows) {
                    return true;
                }
                if (now.equals(counter)) {
                    rows.write(connection, reached);
                } else if (now.epoch() == reached.epoch() && !reached.equals(counter)) {
                    rows.write(connection, notBefore(reached, now));
                }
                return false;
            });
        } catch (RuntimeException e) {
            outcome.addSuppressed(e);
            return false;
        }
    }

    private boolean isLost(@Nullable SQLException e) {
        return e != null && failures.fault(e) == Fault.LOST;
    }

    /** Returns the later of two states: as other sessions left it, or past what was drawn. */
    private static SequenceState notBefore(SequenceState reached, SequenceState now) {
        SequenceState raised = now.raisedTo(reached.nextValue());
        boolean drawnAlready = reached.usedUp() && raised.nextValue() == reached.nextValue();
        return drawnAlready
                ? new SequenceState(now.definition(), reached.nextValue(), true, now.epoch())
                        .redefined(now.definition()) // whose limit may have changed since
                : raised;
    }

    private String name() {
        return counter.definition().name();
    }

    private SequenceException failure(SQLException e) {
        WatchedConnection.ownWorkFailed(lease.lent(), e);
        return failures.inTransaction(name(), e);
    }

    private boolean isWritten(SequenceState after) {
        return after.equals(written) && (written.equals(counter) || !guard.sawCounter());
    }

    private void write(SequenceState after) throws SQLException {
        Connection connection = lease.connection();
        if (rows.rewrite(connection, written, after)) {
            return;
        }
        // The row has changed, or has the same value in another representation, which only manual SQL can have written.
        if (!rows.lock(connection, name()).equals(Optional.of(written))) {
            throw new Misconfigured(
                    name(),
                    "a unit of work draws from it without its turn, nothing was committed; draw only through the turn");
        }
        rows.write(connection, after);
    }

    /** Marks this point, on an engine with savepoints. */
    public SavepointTransaction.Mark mark() {
        try {
            seal.set(); // before the savepoint, so that undoing this part does not undo the seal
            Savepoint savepoint = lease.connection().setSavepoint();
            return () -> undo(savepoint);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void undo(Savepoint savepoint) {
        try {
            lease.connection().rollback(savepoint);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** A transaction on an engine with savepoints, which are set before units that may have to be undone. */
    static final class WithSavepoints extends SealedTransaction implements SavepointTransaction<Connection> {

        WithSavepoints(
                Sharing sharing, Connections.Lease lease, CounterDraw.Locked locked, LateSeal seal, boolean here) {
            super(sharing, lease, locked, seal, here);
        }
    }
}
