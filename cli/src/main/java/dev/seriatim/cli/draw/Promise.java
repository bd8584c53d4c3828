// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

/** What a mode promises of its numbers. Immutable. */
public enum Promise {
    /** No number is dealt twice. */
    UNIQUE(false, false),
    /** The same, and a draw that begins after another has returned gets the higher number. */
    ORDERED(true, false),
    /** The same, and no number is missing from what was committed. */
    GAPLESS(true, true),
    /** No number is dealt twice and none is missing, in any order. */
    GAPLESS_UNORDERED(false, true);

    private final boolean ordered;
    private final boolean gapless;

    Promise(boolean ordered, boolean gapless) {
        this.ordered = ordered;
        this.gapless = gapless;
    }

    /** Whether a later draw gets a higher number. */
    public boolean ordered() {
        return ordered;
    }

    /** Whether no number is missing. */
    public boolean gapless() {
        return gapless;
    }

    /** Whether numbers that keep these properties are all that was promised, or more. */
    public boolean isKeptBy(boolean inOrder, boolean withoutGaps) {
        return (inOrder || !ordered) && (withoutGaps || !gapless);
    }
}
