// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.audit;

import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts findings, and passes on the first of each kind. Its memory does not grow. Not thread-safe. */
final class FindingTally {

    private final long limit;
    private final Consumer<Finding> shown;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, BigInteger> amounts = new EnumMap<>(Kind.class);

    /** Passes on as many of each kind as {@code limit} says. */
    FindingTally(long limit, Consumer<Finding> shown) {
        this.limit = limit;
        this.shown = shown;
    }

    void add(Finding finding) {
        amounts.merge(finding.kind(), finding.amount(), BigInteger::add);
        if (counts.merge(finding.kind(), 1L, Long::sum) <= limit) {
            shown.accept(finding);
        }
    }

    /** How many findings of a kind there are. */
    long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** What the findings of a kind amount to. */
    BigInteger amount(Kind kind) {
        return amounts.getOrDefault(kind, BigInteger.ZERO);
    }

    /** Whether some findings of a kind were not passed on. */
    boolean withheld(Kind kind) {
        return count(kind) > limit;
    }
}
