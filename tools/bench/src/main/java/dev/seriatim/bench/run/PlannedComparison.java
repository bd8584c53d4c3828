// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import java.util.List;

/**
 * Runs that are compared with each other. They run in rounds, alternately forwards and backwards, so that changes on the machine
 * affect all of them alike. The report has the median round of each. Immutable.
 *
 * @param practice whether a warm-up round comes first that does not count, for runs so short that a cold start would show
 */
public record PlannedComparison(List<RunPlan> plans, int rounds, boolean practice) {

    int allRounds() {
        return practice ? rounds + 1 : rounds;
    }

    PlannedComparison with(List<RunPlan> others) {
        return new PlannedComparison(others, rounds, practice);
    }
}
