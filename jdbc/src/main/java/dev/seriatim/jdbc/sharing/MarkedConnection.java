// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;

/**
 * A shared transaction marked with a {@link LateSeal}, with savepoints before units that may have to be undone.
 *
 * <p>Used by one thread at a time.
 */
final class MarkedConnection implements SavepointTransaction<Connection> {

    private final SharedConnection shared;
    private final SealedConnection sealed;
    private final LateSeal seal;

    MarkedConnection(SharedConnection shared, LateSeal seal) {
        this.shared = shared;
        this.seal = seal;
        sealed = new SealedConnection(shared, seal);
    }

    @Override
    public Connection handle(Drawn drawn) {
        return sealed.handle(drawn);
    }

    @Override
    public SequenceState counter() {
        return sealed.counter();
    }

    @Override
    public Blame blame(Throwable thrown) {
        return sealed.blame(thrown);
    }

    @Override
    public Mark mark() {
        try {
            seal.set(); // before it, so that undoing this part does not undo the seal
            Savepoint savepoint = shared.unguarded().setSavepoint();
            return () -> undo(savepoint);
        } catch (SQLException e) {
            throw shared.failure(e);
        }
    }

    private void undo(Savepoint savepoint) {
        try {
            shared.unguarded().rollback(savepoint);
        } catch (SQLException e) {
            throw shared.failure(e);
        }
    }

    @Override
    public void commit(SequenceState after) {
        sealed.commit(after);
    }

    @Override
    public boolean commitHere(SequenceState after, Duration atMost) {
        return sealed.commitHere(after, atMost);
    }

    @Override
    public void rollback() {
        sealed.rollback();
    }
}
