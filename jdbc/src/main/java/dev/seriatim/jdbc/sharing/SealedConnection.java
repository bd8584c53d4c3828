// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.dialect.Fault;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A shared transaction that is marked with a {@link LateSeal}, if it may have ended before it is committed or rolled back.
 *
 * <p>Used by one thread at a time.
 */
final class SealedConnection implements SharedTransaction<Connection> {

    private final SharedConnection shared;
    private final LateSeal seal;

    SealedConnection(SharedConnection shared, LateSeal seal) {
        this.shared = shared;
        this.seal = seal;
    }

    @Override
    public Connection handle(Drawn drawn) {
        return shared.handle(drawn);
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
    public void commit(SequenceState after) {
        SequenceException failure = null;
        SQLException why = null;
        boolean checked = false;
        try {
            failure = seal.holds() ? null : shared.ended(null);
            checked = true;
        } catch (SQLException e) {
            checked = true;
            if (shared.fault(e).nothingCommitted()) {
                // The same applies to this transaction if it is still the one that was sealed.
                rollback();
                throw shared.failure(e);
            }
            why = e;
            failure = lost(e) ? shared.failure(e) : shared.ended(e);
        } finally {
            if (!checked) {
                shared.rollback();
            }
        }
        if (failure != null) {
            shared.rollback();
            throw isUndone(failure, why) && why != null ? shared.failure(why) : failure;
        }
        shared.commit(after);
    }

    @Override
    public boolean commitHere(SequenceState after, Duration atMost) {
        return seal.isNotNeeded() && shared.commitHere(after, atMost);
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
            shared.rollback();
        }
        if (failure != null && !isUndone(failure, why)) {
            throw failure;
        }
    }

    /** Without its connection, an open transaction is lost, but not one that a unit may already have committed. */
    private boolean lost(SQLException e) {
        return shared.fault(e) == Fault.LOST && shared.cannotBeCommitted();
    }

    /** Returns whether nothing was committed although a unit may have; if not, its numbers are not dealt again. */
    private boolean isUndone(SequenceException failure, @Nullable SQLException why) {
        return failure instanceof SequenceException.CommitOutcomeUnknown outcome && shared.keepDrawn(outcome, why);
    }

    /** Returns the failure to report to callers who only wanted a rollback; null if the engine has rolled back. */
    private @Nullable SequenceException endedBefore(@Nullable SQLException why) {
        return shared.cannotBeCommitted() ? null : shared.ended(why);
    }
}
