// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.StoreUrl;

/**
 * A range of values that a bit-reversed sequence does not deal. Immutable and thread-safe.
 *
 * @param min the lowest skipped value
 * @param max the highest skipped value; below {@code min} if none is skipped
 */
record SkipRange(long min, long max) {

    static final SkipRange NONE = new SkipRange(0, -1);

    /** Returns the range that a URL sets. */
    static SkipRange of(StoreUrl url) {
        boolean min = url.option("skip-range-min").isPresent();
        if (min != url.option("skip-range-max").isPresent()) {
            throw new Misconfigured("store URL '" + url.redacted()
                    + "': a skip range has two ends; set both skip-range-min and skip-range-max");
        }
        if (!min) {
            return NONE;
        }
        SkipRange range = new SkipRange(number(url, "skip-range-min"), number(url, "skip-range-max"));
        if (range.min < 1 || range.max < range.min) {
            throw new Misconfigured("store URL '" + url.redacted() + "': the skip range " + range.min + " … "
                    + range.max + " is invalid; its ends must be at least 1 and in order");
        }
        return range;
    }

    boolean isPresent() {
        return min <= max;
    }

    private static long number(StoreUrl url, String option) {
        try {
            return Long.parseLong(url.option(option).orElse(""));
        } catch (NumberFormatException e) {
            throw new Misconfigured(
                    "store URL '" + url.redacted() + "': " + option + " must be a 64-bit integer, not '"
                            + url.option(option).orElse("") + "'",
                    e);
        }
    }
}
