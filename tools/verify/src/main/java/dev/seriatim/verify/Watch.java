// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.check.OrderCheck;
import dev.seriatim.check.UniqueCheck;
import dev.seriatim.check.ValueSet;
import dev.seriatim.verify.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks all draws from one sequence as they happen. Used under the lock of its {@link RingReader}. */
final class Watch {

    final ArenaSequence sequence;
    final UniqueCheck unique;
    final ValueSet unsure = new ValueSet();

    /** Null if the mode does not promise order. */
    final @Nullable OrderCheck order;

    long numbers;
    long failed;

    /** Failed draws because the store was unavailable. */
    long unavailable;

    long highest = ArenaSequence.START - 1;

    /** Checks of the ledger during the run, and the mismatches that they found. */
    long looks;

    final List<String> mismatches = new ArrayList<>();

    /** Threads that did not draw again after the last fault. */
    final List<String> hung = new ArrayList<>();

    /** The next number of the store at the end, and the ledger; null before, or if there is none. */
    @Nullable
    Long next;

    Judge.@Nullable Ledger ledger;

    Watch(ArenaSequence sequence, long origin) {
        this.sequence = sequence;
        unique = new UniqueCheck(origin);
        order = sequence.mode().promise().ordered() ? new OrderCheck(origin) : null;
    }

    /** Returns the violations so far. */
    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        if (unique.duplicates() > 0) {
            found.add(new Violation(Kind.DUPLICATE, unique.duplicates(), unique.examples()));
        }
        if (order != null && order.violations() > 0) {
            found.add(new Violation(Kind.OUT_OF_ORDER, order.violations(), order.examples()));
        }
        add(found, Kind.GAP, mismatches);
        add(found, Kind.HUNG, hung);
        return found;
    }

    private static void add(List<Violation> found, Kind kind, List<String> examples) {
        if (!examples.isEmpty()) {
            found.add(new Violation(kind, examples.size(), examples));
        }
    }
}
