// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.List;

/**
 * Runs that are measured against each other: in rounds, forwards and backwards in turn, so that what changes on the machine
 * meanwhile is the same for all. Each is reported by its median round. Immutable.
 *
 * @param plans the runs
 * @param rounds how many rounds are measured
 * @param practice whether a round comes before them that is not recorded, for runs so short that a cold start would show
 */
record Contest(List<RunPlan> plans, int rounds, boolean practice) {

    /** A run on its own, once. */
    static Contest alone(RunPlan plan) {
        return new Contest(List.of(plan), 1, false);
    }

    int allRounds() {
        return practice ? rounds + 1 : rounds;
    }

    Contest with(List<RunPlan> others) {
        return new Contest(others, rounds, practice);
    }
}
