// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/**
 * What share of a lane's turns does something special, each from 0 to 1; what a mode does not have is left out there. Immutable.
 *
 * @param rolledBack transactions and units that are rolled back on purpose
 * @param several turns that draw several numbers at a time
 * @param local turns that draw through a local cursor, in modes that promise uniqueness only
 * @param reopened turns that close the sequence, give back what it has in hand, and open it again
 */
public record TurnShares(double rolledBack, double several, double local, double reopened) {

    /** The usual shares. */
    public static final TurnShares USUAL = new TurnShares(0.05, 0.01, 0.001, 0.0001);

    /** Nothing but single draws that commit. */
    public static final TurnShares NONE = new TurnShares(0, 0, 0, 0);

    /** Checks the shares. */
    public TurnShares {
        for (double share : new double[] {rolledBack, several, local, reopened}) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("a share is from 0 to 1, not " + share);
            }
        }
    }
}
