// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SavepointTransaction;
import dev.seriatim.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A shared transaction under a {@link Seal}, with savepoints before units that may have to be undone.
 *
 * <p>Used by one thread at a time.
 */
final class MarkedConnection implements SavepointTransaction<Connection> {

    private final SharedConnection shared;
    private final SealedConnection sealed;
    private @Nullable Savepoint mark;

    MarkedConnection(SharedConnection shared, Seal seal) {
        this.shared = shared;
        sealed = new SealedConnection(shared, seal);
    }

    @Override
    public Connection handle() {
        return sealed.handle();
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
            shared.unguarded().rollback(Objects.requireNonNull(mark));
        } catch (SQLException e) {
            throw shared.failure(e);
        }
    }

    @Override
    public void commit(SequenceState after) {
        sealed.commit(after);
    }

    @Override
    public void rollback() {
        sealed.rollback();
    }
}
