// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** What an SQL exception means for us, whatever its engine calls it. */
public enum Fault {
    /** Another session was in the way and nothing has happened: the whole transaction can be run again. */
    CONFLICT,
    /** A statement waited too long for another session, or met its newer table, and it alone was undone. The transaction can be run again. */
    TIMED_OUT,
    /** An earlier statement of this transaction failed, and until that is undone nothing else works in it. */
    SPOILED,
    /** This process has more callers than connections, or than the engine's one writer can serve in time. */
    NO_TURN,
    /** The pool that connections come from had none to lend in time. Nothing was sent. */
    NO_CONNECTION,
    /** There is a row with this key. */
    DUPLICATE,
    /** What was written breaks another rule of its table. */
    VIOLATION,
    /** The table is missing, or the database that would hold it. */
    MISSING_TABLE,
    /** The table has other columns than we know. */
    MISSING_COLUMN,
    /** A column is of a type that does not hold our numbers. */
    WRONG_TYPE,
    /** This user lacks a right. */
    DENIED,
    /** The database, or this user's access to it, is read-only. */
    READ_ONLY,
    /** What is there is no database of this engine, or is damaged. */
    NOT_A_DATABASE,
    /** No room is left. */
    FULL,
    /** The connection broke, or the server went away: what was under way may have happened or not. */
    LOST,
    /** Anything else. */
    OTHER;

    /** Whether another session was in the way, who may be gone when the transaction runs again. */
    public boolean passing() {
        return this == CONFLICT || this == TIMED_OUT;
    }

    /** Whether a statement or commit that failed with this has certainly changed nothing. Else take it as unknown. */
    public boolean nothingCommitted() {
        return this != LOST && this != OTHER;
    }
}
