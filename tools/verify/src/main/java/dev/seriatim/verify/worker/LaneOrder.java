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
        TurnShares shares) {}
