// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

/** What an SQL exception means for us, whatever its engine calls it. */
enum Fault {
    /** Another session was in the way and nothing has happened: the whole transaction can be run again. */
    CONFLICT,
    /** This process has more callers than connections, or than the engine's one writer can serve in time. */
    NO_TURN,
    /** There is a row with this key. */
    DUPLICATE,
    /** The table is missing, or the database that would hold it. */
    MISSING_TABLE,
    /** The table has other columns than we know. */
    MISSING_COLUMN,
    /** The database, or this user's access to it, is read-only. */
    READ_ONLY,
    /** What is there is no database of this engine, or is damaged. */
    NOT_A_DATABASE,
    /** No room is left. */
    FULL,
    /** Anything else, such as a lost connection. */
    OTHER;

    /** Whether a commit that failed with this has certainly not happened. Everything else must be taken as unknown. */
    boolean nothingCommitted() {
        return this == CONFLICT || this == DUPLICATE || this == READ_ONLY || this == FULL;
    }
}
