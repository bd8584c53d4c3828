// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import dev.seriatim.GroupedSequence;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.report.Look;
import dev.seriatim.report.Mark;

/** The runner's view of a mode of {@link DrawMode}; without a profile, a new mode does not compile. Immutable. */
public record ModeProfile(Limit limit, Look look) {

    /** The maximum throughput of one instance. */
    @FunctionalInterface
    public interface Limit {

        /**
         * Returns values per second, possibly infinite. Only the callers' work limits modes that deal from memory.
         *
         * @param callers how many callers draw, work, and draw again
         * @param work seconds that a caller works between draws, or inside the transaction if the mode draws in one
         */
        double perSecond(int callers, StoreTimes store, double work);
    }

    public static ModeProfile of(DrawMode mode) {
        return switch (mode) {
            case SYNC ->
                new ModeProfile(
                        (callers, store, work) -> Math.min(1 / (store.row() + work), sideBySide(callers, store, work)),
                        new Look(8, Mark.SQUARE));
            case GROUPED -> new ModeProfile(ModeProfile::grouped, new Look(2, Mark.SQUARE));
            case POOLED -> new ModeProfile(ModeProfile::sideBySide, new Look(6, Mark.WEDGE));
            case ASYNC ->
                new ModeProfile(
                        (callers, store, work) -> Math.min(1 / store.row(), sideBySide(callers, store, work)),
                        new Look(9, Mark.DIAMOND));
            case COMBINED -> new ModeProfile(ModeProfile::sideBySide, new Look(3, Mark.TRIANGLE));
            case CONFIRMED ->
                new ModeProfile((callers, store, work) -> callers / (store.read() + work), new Look(5, Mark.SQUARE));
            case BATCH -> new ModeProfile(ModeProfile::fromMemory, new Look(4, Mark.DIAMOND));
            case ASYNC_BATCH -> new ModeProfile(ModeProfile::fromMemory, new Look(5, Mark.WEDGE));
            case ADAPTIVE -> new ModeProfile(ModeProfile::fromMemory, new Look(1, Mark.CIRCLE));
        };
    }

    /** Returns whether two callers that do nothing else can draw more than one. */
    public boolean growsWithCallers() {
        return limit.perSecond(2, StoreTimes.of(1), 0) > limit.perSecond(1, StoreTimes.of(1), 0);
    }

    private static double fromMemory(int callers, StoreTimes store, double work) {
        return callers / work;
    }

    private static double sideBySide(int callers, StoreTimes store, double work) {
        return callers / (store.reservation() + work);
    }

    /** Groups follow one another at the row; a caller alone waits for all of its transaction. */
    private static double grouped(int callers, StoreTimes store, double work) {
        int together = Math.min(callers, GroupedSequence.MOST_UNITS);
        double apart = callers == 1 ? store.reservation() : store.row();
        return together / (apart + together * work);
    }
}
