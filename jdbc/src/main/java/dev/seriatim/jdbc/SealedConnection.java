// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SavepointTransaction;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/**
 * A shared transaction with savepoints: one at its beginning, as a seal, and one before each unit that may have to be undone.
 *
 * <p>A unit can end the transaction behind everybody's back: with a COMMIT in a text, with a statement that commits by itself
 * (as changes of tables do in MySQL), or by keeping to itself that a deadlock rolled everything back. Whatever came before
 * is then committed without the counter, or gone; and what comes after runs without its lock. The seal is gone with the
 * transaction it was made in, so a commit that finds it in place commits everybody's work.
 *
 * <p>Used by one thread at a time.
 */
final class SealedConnection implements SavepointTransaction<Connection> {

    private final SharedConnection shared;
    private final Savepoint seal;
    private @Nullable Savepoint mark;

    private SealedConnection(SharedConnection shared, Savepoint seal) {
        this.shared = shared;
        this.seal = seal;
    }

    static SealedConnection over(SharedConnection shared) throws SQLException {
        return new SealedConnection(shared, shared.unguarded().setSavepoint());
    }

    @Override
    public Connection handle() {
        return shared.handle();
    }

    @Override
    public SequenceState counter() {
        return shared.counter();
    }

    @Override
    public Blame blame(Throwable thrown) {
        return shared.blame(thrown);
    }

    @Override
    public void mark() {
        try {
            mark = shared.unguarded().setSavepoint();
        } catch (SQLException e) {
            throw shared.failure(e);
        }
    }

    @Override
    public void undo() {
        try {
            shared.unguarded().rollback(mark == null ? seal : mark);
        } catch (SQLException e) {
            throw shared.failure(e);
        }
    }

    @Override
    public void commit(SequenceState after) {
        boolean whole = false;
        try {
            shared.unguarded().releaseSavepoint(seal);
            whole = true;
        } catch (SQLException e) {
            throw shared.fault(e).nothingCommitted() || shared.fault(e) == Fault.LOST
                    ? shared.failure(e)
                    : new CommitOutcomeUnknown(
                            shared.name(),
                            new SQLException("a unit of work has ended the transaction that it shares with others", e));
        } finally {
            if (!whole) {
                rollback();
            }
        }
        shared.commit(after);
    }

    @Override
    public void rollback() {
        shared.rollback();
    }
}
