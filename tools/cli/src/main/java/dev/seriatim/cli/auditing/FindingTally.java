// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.auditing;

import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts findings, and passes on the first ones of each kind, in constant memory. Not thread-safe. */
final class FindingTally {

    private final long limit;
    private final Consumer<AuditFinding> shown;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, BigInteger> amounts = new EnumMap<>(Kind.class);

    /** Passes on at most {@code limit} of each kind. */
    FindingTally(long limit, Consumer<AuditFinding> shown) {
        this.limit = limit;
        this.shown = shown;
    }

    void add(AuditFinding finding) {
        amounts.merge(finding.kind(), finding.amount(), BigInteger::add);
        if (counts.merge(finding.kind(), 1L, Long::sum) <= limit) {
            shown.accept(finding);
        }
    }

    /** Returns the number of findings of a kind. */
    long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Returns the sum of the amounts of a kind. */
    BigInteger amount(Kind kind) {
        return amounts.getOrDefault(kind, BigInteger.ZERO);
    }

    /** Returns whether some findings of a kind were not passed on. */
    boolean withheld(Kind kind) {
        return count(kind) > limit;
    }
}
