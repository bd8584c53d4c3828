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
        return found;
    }
}
