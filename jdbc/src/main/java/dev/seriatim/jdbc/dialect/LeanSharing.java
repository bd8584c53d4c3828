// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * A dialect with which a transaction that callers share needs no more round trips than a caller's own:
 *
 * <ol>
 *   <li>The guarded statement that draws sees everything acknowledged before, so it can lock the counter as well.
 *   <li>A transaction ends only on request, or by a statement that can end it or fails. So it needs a {@link Seal} only
 *       before statements that can end it.
 * </ol>
 */
public interface LeanSharing {

    /** Returns whether this also holds for the server at hand. */
    default boolean sharesLeanly() {
        return true;
    }

    /**
     * Returns whether a text certainly leaves its transaction open, unless it fails.
     *
     * @param sql not a single statement that reads or writes rows; without comments before the first word
     */
    boolean keepsOpen(String sql);

    /** Returns whether all of this holds. */
    static boolean of(Dialect dialect) {
        return dialect instanceof LeanSharing lean && lean.sharesLeanly();
    }
}
