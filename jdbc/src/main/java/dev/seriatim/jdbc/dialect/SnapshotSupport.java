// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect that shows several queries the same state of the database with something other than a repeatable read. */
public interface SnapshotSupport {

    /** Returns how several queries see the same state of the database. */
    Snapshot snapshot();

    /** Returns the dialect's snapshot, or a repeatable read if it has none. */
    static Snapshot of(Dialect dialect) {
        return dialect instanceof SnapshotSupport own ? own.snapshot() : new RepeatableRead();
    }
}
