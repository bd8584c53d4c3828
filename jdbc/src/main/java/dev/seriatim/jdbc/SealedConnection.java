// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceState;
import dev.seriatim.SharedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A shared transaction under a {@link Seal}.
 *
 * <p>Used by one thread at a time.
 */
final class SealedConnection implements SharedTransaction<Connection> {

    private final SharedConnection shared;
    private final Seal seal;

    SealedConnection(SharedConnection shared, Seal seal) {
        this.shared = shared;
        this.seal = seal;
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
    public void commit(SequenceState after) {
        boolean whole = false;
        try {
            whole = seal.holds(shared.unguarded());
            if (!whole) {
                throw ended(null);
            }
        } catch (SQLException e) {
            Fault fault = shared.fault(e);
            throw fault.nothingCommitted() || fault == Fault.LOST ? shared.failure(e) : ended(e);
        } finally {
            if (!whole) {
                rollback();
            }
        }
        shared.commit(after);
    }

    private CommitOutcomeUnknown ended(@Nullable SQLException why) {
        String what = "a unit of work has ended the transaction that it shares with others";
        return new CommitOutcomeUnknown(shared.name(), new SQLException(what, why));
    }

    @Override
    public void rollback() {
        shared.rollback();
    }
}
