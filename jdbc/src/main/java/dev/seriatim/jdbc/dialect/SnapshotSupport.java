// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect that shows one state of the database to several queries in another way than by a repeatable read. */
public interface SnapshotSupport {

    /** How several queries see one state of the database. */
    Snapshot snapshot();

    /** The same, by a repeatable read where the dialect has nothing else. */
    static Snapshot of(Dialect dialect) {
        return dialect instanceof SnapshotSupport own ? own.snapshot() : new RepeatableRead();
    }
}
