// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.trial;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a trial can count, and end at. */
public enum Goal {
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

    /** Returns the word for it on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the goal of this word; empty if there is none. */
    public static Optional<Goal> named(String word) {
        return Arrays.stream(values()).filter(goal -> goal.word().equals(word)).findFirst();
    }

    /** Returns the goals of a long run. */
    public static Map<Goal, Long> soak() {
        Map<Goal, Long> goals = new EnumMap<>(Goal.class);
        goals.put(UNIQUE, THOUSAND * THOUSAND * THOUSAND);
        goals.put(ORDERED, 10 * THOUSAND * THOUSAND);
        goals.put(GAPLESS, THOUSAND * THOUSAND);
        goals.put(KILLS, THOUSAND);
        goals.put(SERVER_KILLS, THOUSAND / 5);
        goals.put(LOST_ANSWERS, 10 * THOUSAND);
        return goals;
    }
}
