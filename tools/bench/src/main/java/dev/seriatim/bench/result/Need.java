// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A guarantee that users may need. Immutable. */
enum Need {
    UNIQUE_NUMBERS(Promise.UNIQUE, "unique numbers"),
    IN_ORDER(Promise.ORDERED, "unique, in order"),
    WITHOUT_GAPS(Promise.GAPLESS, "gapless, in order"),
    WITHOUT_GAPS_IN_PARALLEL(Promise.GAPLESS_UNORDERED, "gapless, in any order");

    /** Other ways to make numbers, which are measured for comparison and never recommended. */
    static final Set<String> BASELINES =
            Set.of("EMULATED", "AUTO_INCREMENT", "NATIVE", "UUID", "UUID_V4", "UUID_V7", "ATOMIC_LONG");

    private final Promise promise;
    private final String words;

    Need(Promise promise, String words) {
        this.promise = promise;
        this.words = words;
    }

    String words() {
        return words;
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
        return !BASELINES.contains(run.mode())
                && !run.broken()
                && run.valuesPerSecond() > 0
                && promise.isKeptBy(run.orderViolations() != null, run.gaps() != null);
    }
}
