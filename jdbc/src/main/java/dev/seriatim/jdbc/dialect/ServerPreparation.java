// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

/** A dialect on some of whose servers connections of our own must not prepare statements in the server. */
public interface ServerPreparation {

    /** Returns whether the server answers each request to prepare a statement. */
    boolean answersPreparation();

    /** Returns whether it does, as far as the dialect knows. */
    static boolean isSafe(Dialect dialect) {
        return !(dialect instanceof ServerPreparation own) || own.answersPreparation();
    }
}
