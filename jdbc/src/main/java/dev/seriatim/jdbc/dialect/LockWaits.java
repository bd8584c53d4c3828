// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A dialect that bounds how long statements wait for locks, and calls for other sessions. By default they wait as long as the
 * engine's own settings say; the wait for an answer bounds that.
 */
public interface LockWaits {

    /** Of the other engines. */
    LockWaits UNBOUNDED = new LockWaits() {};

    /** Those of a dialect. */
    static LockWaits of(Dialect dialect) {
        return dialect instanceof LockWaits own ? own : UNBOUNDED;
    }

    /**
     * How a draw inside the caller's transaction waits for the lock of the counter.
     *
     * @param atMost how long, positive
     */
    default LockWait lockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /**
     * How each prepared statement of a transaction of our own waits for locks.
     *
     * @param atMost how long, in whole seconds, so that the text of a statement is the same again and again
     */
    default LockWait ownLockWait(Duration atMost) {
        return LockWait.UNBOUNDED;
    }

    /** Bounds how long statements wait for locks on a connection that the store keeps for itself; a shorter setting stays. */
    default void boundLockWaits(Connection connection, Duration atMost) throws SQLException {}

    /** The longest pause between two attempts after a conflict. */
    default Duration longestPause() {
        return Duration.ofMillis(50);
    }
}
