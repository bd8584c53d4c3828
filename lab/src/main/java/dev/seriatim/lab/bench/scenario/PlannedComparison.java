// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.scenario;

import dev.seriatim.lab.bench.contender.RunPlan;
import java.util.List;

/**
 * Runs that are measured against each other: in rounds, forwards and backwards in turn, so that what changes on the machine
 * meanwhile is the same for all. Each is reported by its median round. Immutable.
 *
 * @param plans the runs
 * @param rounds how many rounds are measured
 * @param practice whether a round comes before them that is not recorded, for runs so short that a cold start would show
 */
public record PlannedComparison(List<RunPlan> plans, int rounds, boolean practice) {

    /** A run on its own, once. */
    public static PlannedComparison alone(RunPlan plan) {
        return new PlannedComparison(List.of(plan), 1, false);
    }

    public int allRounds() {
        return practice ? rounds + 1 : rounds;
    }

    public PlannedComparison with(List<RunPlan> others) {
        return new PlannedComparison(others, rounds, practice);
    }
}
