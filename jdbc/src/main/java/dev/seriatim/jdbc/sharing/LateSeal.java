// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Seal;
import dev.seriatim.jdbc.sql.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Seal} of a shared transaction, set before the first call that could end the transaction unnoticed, or set
 * a savepoint before it. While units send only statements that cannot commit, it costs nothing: only one that fails can
 * have ended the transaction, and then the database is asked at once.
 *
 * <p>Used by one thread at a time.
 */
final class LateSeal {

    private final Dialect dialect;
    private final Connection connection;
    private final SqlWork<Boolean> isOpen;
    private volatile @Nullable Seal seal;

    /** A call failed before the seal was set. */
    private volatile boolean failed;

    /** Such a failure has, or may have, ended the transaction. */
    private volatile boolean ended;

    LateSeal(Dialect dialect, Connection connection, SqlWork<Boolean> isOpen) {
        this.dialect = dialect;
        this.connection = connection;
        this.isOpen = isOpen;
    }

    void set() throws SQLException {
        if (seal != null) {
            return;
        }
        try {
            seal = dialect.seal(connection);
        } catch (Throwable e) {
            callFailed();
            throw e;
        }
    }

    /** Records that a call on the connection has failed, perhaps because the engine has rolled back. */
    void callFailed() {
        if (seal != null) {
            return;
        }
        failed = true;
        try {
            ended |= !isOpen.run(connection);
        } catch (Throwable unknown) { // which must not hide the failure itself
            ended = true;
        }
    }

    /** Records that a failed statement has ended the transaction, and that another one has begun. */
    void restarted() {
        failed = true;
        ended = true;
    }

    /** Returns whether it is certain without a query that this is still the transaction in which the units have worked. */
    boolean isNotNeeded() {
        return seal == null && !failed;
    }

    /** Returns whether this is still the transaction in which the units have worked. */
    boolean holds() throws SQLException {
        Seal set = seal;
        if (set != null) {
            return set.holds(connection) && !ended;
        }
        if (failed) {
            set(); // fails in a transaction that the failure has spoiled
        }
        return !ended;
    }

    /** Returns whether the transaction can be rolled back, in whatever state it is; may undo its changes. */
    boolean heldUntilNow() throws SQLException {
        Seal set = seal;
        return set == null || (set.heldUntilNow(connection) && !ended);
    }
}
