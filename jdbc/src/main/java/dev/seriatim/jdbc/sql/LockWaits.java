// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * How an engine limits the time that statements wait for locks of other sessions. By default, they wait as long as the
 * engine's own settings allow, limited by the network timeout.
 */
public interface LockWaits {

    /** Returns whether this limits how long the store's own transactions wait for locks. */
    default boolean boundsLockWaits() {
        return false;
    }

    /**
     * Returns how a draw inside the caller's transaction waits for the counter's lock.
     *
     * @param atMost maximum wait, positive
     */
    default LockWait lockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /**
     * Returns how each prepared statement of the store's own transactions waits for locks.
     *
     * @param atMost maximum wait, in whole seconds so that a statement's text stays the same
     */
    default LockWait ownLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /**
     * Returns how the draw waits that is a transaction of its own, or begins one that callers share.
     *
     * @param atMost maximum wait, positive
     */
    default LockWait aloneLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /** Limits how long statements wait for locks on a connection that the store owns; keeps a shorter setting. */
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {}

    /** Returns the maximum pause between two attempts after a conflict. */
    default Duration longestPause() {
        return Duration.ofMillis(50);
    }
}
