// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/**
 * A dialect with which a transaction that callers share needs no more round trips than a caller's own:
 *
 * <ol>
 *   <li>The guarded statement that draws sees everything acknowledged before, so it can lock the counter as well.
 *   <li>A transaction ends only on request, by a statement that is known to end it, or by a statement that fails. So it needs a {@link Seal} only before anything else.
 * </ol>
 */
public interface LeanSharing {

    /** Returns whether this also holds for the server at hand. */
    default boolean sharesLeanly() {
        return true;
    }

    /**
     * Returns whether a text certainly leaves the transaction open in which it runs. Called for texts that are not one
     * plain statement, without the comments before the first word.
     */
    boolean keepsOpen(String sql);

    /** Returns whether all of this holds. */
    static boolean of(Dialect dialect) {
        return dialect instanceof LeanSharing lean && lean.sharesLeanly();
    }
}
