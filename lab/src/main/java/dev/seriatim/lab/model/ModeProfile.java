// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.model;

import dev.seriatim.GroupedSequence;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.lab.plot.Look;
import dev.seriatim.lab.plot.Mark;

/**
 * What the laboratory knows of a mode, which {@link DrawMode} lists: a mode without a profile does not compile. Immutable.
 *
 * @param limit what it could reach at best
 * @param look how it looks, the same in every plot
 */
public record ModeProfile(Limit limit, Look look) {

    /** What one instance could reach at best. */
    @FunctionalInterface
    public interface Limit {

        /**
         * Values per second, perhaps infinite; for modes that deal from memory, what the callers' own work leaves room for.
         *
         * @param callers how many draw, work, and draw again
         * @param reservation seconds that a reservation keeps the row
         * @param work seconds that a caller works between draws; inside the transaction, if the mode draws in one
         */
        double perSecond(int callers, double reservation, double work);
    }

    /** That of a mode. */
    public static ModeProfile of(DrawMode mode) {
        return switch (mode) {
            case SYNC ->
                new ModeProfile((callers, reservation, work) -> 1 / (reservation + work), new Look(8, Mark.SQUARE));
            case GROUPED -> new ModeProfile(ModeProfile::grouped, new Look(2, Mark.SQUARE));
            case POOLED -> new ModeProfile(ModeProfile::sideBySide, new Look(6, Mark.WEDGE));
            case ASYNC ->
                new ModeProfile(
                        (callers, reservation, work) ->
                                Math.min(1 / reservation, sideBySide(callers, reservation, work)),
                        new Look(9, Mark.DIAMOND));
            case COMBINED -> new ModeProfile(ModeProfile::sideBySide, new Look(3, Mark.TRIANGLE));
            case BATCH -> new ModeProfile(ModeProfile::fromMemory, new Look(4, Mark.DIAMOND));
            case ASYNC_BATCH -> new ModeProfile(ModeProfile::fromMemory, new Look(5, Mark.WEDGE));
            case ADAPTIVE -> new ModeProfile(ModeProfile::fromMemory, new Look(1, Mark.CIRCLE));
        };
    }

    private static double fromMemory(int callers, double reservation, double work) {
        return callers / work;
    }

    private static double sideBySide(int callers, double reservation, double work) {
        return callers / (reservation + work);
    }

    private static double grouped(int callers, double reservation, double work) {
        int together = Math.min(callers, GroupedSequence.MOST_UNITS);
        return together / (reservation + together * work);
    }
}
