// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a run found when it checked its own numbers; empty where the mode promises nothing.
 *
 * @param duplicates see {@link DuplicateCheck}
 * @param orderViolations see {@link OrderCheck}
 * @param gaps see {@link GapCheck}
 */
record SelfCheck(long duplicates, OptionalLong orderViolations, OptionalLong gaps) {

    /** Checks numbers drawn in a mode from a sequence that began at {@code start} and would deal {@code next} next. */
    static SelfCheck of(BenchMode mode, Draws draws, long start, long next) {
        return new SelfCheck(
                DuplicateCheck.count(draws.values),
                mode.ordered()
                        ? OptionalLong.of(OrderCheck.count(draws.values, draws.began, draws.returned))
                        : OptionalLong.empty(),
                mode.gapless()
                        ? OptionalLong.of(GapCheck.count(draws.values, draws.unsure, start, next))
                        : OptionalLong.empty());
    }

    /** What is wrong, in words; empty when nothing is. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        tell(faults, duplicates, "duplicate");
        tell(faults, orderViolations.orElse(0), "order violation");
        tell(faults, gaps.orElse(0), "gap");
        return faults;
    }

    private static void tell(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what + (count == 1 ? "" : "s"));
        }
    }
}
