// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.verify.fault.FaultKind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A count at which a trial can end. */
enum Goal {
    /** Numbers drawn in modes that promise uniqueness only. */
    UNIQUE(1_000_000_000, null),
    /** Numbers drawn in modes that promise order. */
    ORDERED(10_000_000, null),
    /** Numbers drawn and committed in gapless modes. */
    GAPLESS(1_000_000, null),
    KILLS(1_000, FaultKind.KILL),
    SERVER_KILLS(200, FaultKind.SERVER),
    LOST_ANSWERS(10_000, FaultKind.LINK),
    ROWS(1_000_000, null);

    private final long inSoak;

    /** The faults that it counts; null if it counts numbers. */
    final @Nullable FaultKind fault;

    Goal(long inSoak, @Nullable FaultKind fault) {
        this.inSoak = inSoak;
        this.fault = fault;
    }

    static Goal of(DrawMode mode) {
        return mode.promise().gapless() ? GAPLESS : mode.promise().ordered() ? ORDERED : UNIQUE;
    }

    /** Returns whether a trial of feeds, or one of modes, reaches it. */
    boolean isReached(boolean ofFeeds) {
        return fault != null || (this == ROWS) == ofFeeds;
    }

    /** Returns the goals of a long run. */
    static Map<Goal, Long> soak(boolean ofFeeds) {
        Map<Goal, Long> goals = new EnumMap<>(Goal.class);
        for (Goal goal : values()) {
            if (goal.isReached(ofFeeds)) {
                goals.put(goal, goal.inSoak);
            }
        }
        return goals;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
