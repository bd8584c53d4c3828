// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/**
 * The shares of a lane's special turns, each from 0 to 1. Immutable.
 *
 * @param rolledBack transactions and units that are rolled back on purpose
 * @param several turns that draw several numbers
 * @param local turns that draw through a local cursor, in modes that deal from memory
 * @param reopened turns that close the sequence, which gives back its reserved values, and open it again
 */
public record TurnShares(double rolledBack, double several, double local, double reopened) {

    public static final TurnShares USUAL = new TurnShares(0.05, 0.01, 0.001, 0.0001);

    /** Single draws that commit. */
    public static final TurnShares NONE = new TurnShares(0, 0, 0, 0);
}
