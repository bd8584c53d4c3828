// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

/** The guarantees of a mode. */
public enum Promise {
    /** No number is dealt twice. */
    UNIQUE(false, false),
    /** Also, a draw that begins after another has returned gets the higher number. */
    ORDERED(true, false),
    /** Also, no committed number is followed by a gap. */
    GAPLESS(true, true),
    /** No number is dealt twice, and committed numbers have no gaps; in any order. */
    GAPLESS_UNORDERED(false, true);

    private final boolean ordered;
    private final boolean gapless;

    Promise(boolean ordered, boolean gapless) {
        this.ordered = ordered;
        this.gapless = gapless;
    }

    public boolean ordered() {
        return ordered;
    }

    public boolean gapless() {
        return gapless;
    }

    /** Returns whether numbers with these properties fulfil the guarantees. */
    public boolean isKeptBy(boolean inOrder, boolean withoutGaps) {
        return (inOrder || !ordered) && (withoutGaps || !gapless);
    }
}
