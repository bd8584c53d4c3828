// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

/** The meaning of an SQL exception, independent of the engine. */
public enum Fault {
    /** Another session conflicted and nothing has happened: the whole transaction can be retried. */
    CONFLICT,
    /** A statement waited too long, or met a newer table, and alone was undone; the transaction can be retried. */
    TIMED_OUT,
    /** An earlier statement of this transaction failed; until it is undone, no other statement works. */
    SPOILED,
    /** This process has more callers than connections, or more than the engine's single writer can serve in time. */
    NO_TURN,
    /** The connection pool had no free connection in time. Nothing was sent. */
    NO_CONNECTION,
    DUPLICATE,
    /** The row violates another constraint of its table. */
    VIOLATION,
    /** The transaction, or what the database holds, exceeds a limit of the product. */
    LIMIT,
    /** The table, or its database, does not exist. */
    MISSING_TABLE,
    /** The table has other columns than expected. */
    MISSING_COLUMN,
    /** A column's type cannot hold the numbers. */
    WRONG_TYPE,
    DENIED,
    /** The database, or this user's access to it, is read-only. */
    READ_ONLY,
    /** The file is not a database of this engine, or is damaged. */
    NOT_A_DATABASE,
    FULL,
    /** The connection broke or the server stopped: the outcome of the current operation is unknown. */
    LOST,
    OTHER;

    /** Returns whether another session caused the fault, and may be gone when the transaction is retried. */
    public boolean isTransient() {
        return this == CONFLICT || this == TIMED_OUT;
    }

    /** Returns whether a failed statement or commit has certainly changed nothing. */
    public boolean nothingCommitted() {
        return this != LOST && this != OTHER;
    }
}
