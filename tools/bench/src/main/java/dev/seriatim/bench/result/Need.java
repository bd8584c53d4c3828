// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.Promise;
import java.util.Arrays;
import java.util.List;

/** A guarantee that users may need. Immutable. */
enum Need {
    UNIQUE_NUMBERS(Promise.UNIQUE, "unique numbers", "gaps and any order are fine: keys, identifiers"),
    IN_ORDER(Promise.ORDERED, "unique, in order", "a later draw gets a higher number; gaps are fine"),
    WITHOUT_GAPS(
            Promise.GAPLESS, "gapless, in order", "no number is missing, as for invoices; drawn in your transaction"),
    WITHOUT_GAPS_IN_PARALLEL(
            Promise.GAPLESS_UNORDERED, "gapless, in any order", "no number is missing; transactions run side by side");

    private final Promise promise;
    private final String words;
    private final String detail;

    Need(Promise promise, String words, String detail) {
        this.promise = promise;
        this.words = words;
        this.detail = detail;
    }

    String words() {
        return words;
    }

    String detail() {
        return detail;
    }

    /** Returns the modes that promise exactly this. */
    List<DrawMode> modes() {
        return Arrays.stream(DrawMode.values())
                .filter(mode -> mode.promise() == promise)
                .toList();
    }

    /** Returns whether the mode of a run promises exactly this. */
    boolean isMeasuredBy(Figures run) {
        return modes().stream().anyMatch(mode -> mode.name().equals(run.mode()));
    }

    /** Returns whether the numbers of a run meet the need, or more. */
    boolean isKeptBy(Figures run) {
        return !BaselineNames.is(run)
                && !Checks.broken(run)
                && run.valuesPerSecond() > 0
                && promise.isKeptBy(run.orderViolations() != null, run.gaps() != null);
    }
}
