// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

/**
 * An order to draw from one sequence. Immutable.
 *
 * @param generator the name of a mode, or of another generator that the worker's program knows
 * @param ledger the table for the numbers of a gapless mode, or empty
 * @param pace turns per second of each thread; 0 for no limit
 * @param numbers the numbers of a turn that draws several
 * @param batchSize values per block, in modes with a fixed size
 */
public record LaneOrder(
        String generator,
        String sequence,
        String ledger,
        int threads,
        int pace,
        int numbers,
        long batchSize,
        Shares shares) {

    /**
     * The shares of special turns, each from 0 to 1.
     *
     * @param rolledBack transactions and units that are rolled back on purpose
     * @param local turns that draw through a local cursor, in modes that deal from memory
     * @param reopened turns that close the sequence, which gives back its reserved values, and open it again
     */
    public record Shares(double rolledBack, double several, double local, double reopened) {

        public static final Shares USUAL = new Shares(0.05, 0.01, 0.001, 0.0001);

        /** Single draws that commit. */
        public static final Shares NONE = new Shares(0, 0, 0, 0);
    }
}
