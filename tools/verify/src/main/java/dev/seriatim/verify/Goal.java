// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import java.util.Locale;
import java.util.Map;

/** A count at which a trial can end. */
enum Goal {
    /** Numbers drawn in modes that promise uniqueness only. */
    UNIQUE,
    /** Numbers drawn in modes that promise order. */
    ORDERED,
    /** Numbers drawn and committed in gapless modes. */
    GAPLESS,
    /** Processes killed. */
    KILLS,
    /** Kills of the server. */
    SERVER_KILLS,
    /** Answers to commits that were lost. */
    LOST_ANSWERS;

    private static final long THOUSAND = 1_000;

    /** Returns its name on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the goals of a long run. */
    static Map<Goal, Long> soak() {
        return Map.of(
                UNIQUE, THOUSAND * THOUSAND * THOUSAND,
                ORDERED, 10 * THOUSAND * THOUSAND,
                GAPLESS, THOUSAND * THOUSAND,
                KILLS, THOUSAND,
                SERVER_KILLS, THOUSAND / 5,
                LOST_ANSWERS, 10 * THOUSAND);
    }
}
