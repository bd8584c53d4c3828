// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * A dialect with which a transaction that callers share needs no more round trips than a caller's own:
 *
 * <ol>
 *   <li>The guarded statement that draws sees everything acknowledged before, so it can lock the counter as well.
 *   <li>A transaction of plain statements, which read and write rows, ends only on request or by a statement that
 *       fails. So it needs a {@link Seal} only before anything else.
 * </ol>
 */
public interface LeanSharing {

    /** Returns whether this also holds for the server at hand. */
    default boolean sharesLeanly() {
        return true;
    }

    /** Returns whether all of this holds. */
    static boolean of(Dialect dialect) {
        return dialect instanceof LeanSharing lean && lean.sharesLeanly();
    }
}
