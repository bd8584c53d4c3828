// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.Remedy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers come close to 2<sup>53</sup>, or are just beyond it. Numbers far beyond it were never meant to be exact in a double, such as
 * those of a time or of reversed bits.
 */
final class ExactDoublesRule implements Rule {

    private static final BigInteger EXACT = BigInteger.ONE.shiftLeft(53);
    private static final BigInteger NEAR = EXACT.add(EXACT.shiftRight(2));

    @Override
    public List<InspectionFinding> find(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            if (source.exhausted() || ends(source)) {
                continue;
            }
            source.next().filter(ExactDoublesRule::isClose).ifPresent(next -> found.add(found(facts, source, next)));
        }
        return found;
    }

    /** Returns whether its numbers end before doubles do. */
    private static boolean ends(RuleSource source) {
        return source.last().abs().compareTo(EXACT) <= 0
                || source.columns().stream()
                        .anyMatch(column -> source.last(column.range()).abs().compareTo(EXACT) <= 0);
    }

    private static boolean isClose(BigInteger next) {
        return next.abs().compareTo(NEAR) <= 0
                && Share.before(next.abs(), BigInteger.ZERO, EXACT).isMost();
    }

    private static InspectionFinding found(Facts facts, RuleSource source, BigInteger next) {
        boolean past = next.abs().compareTo(EXACT) > 0;
        BigInteger last = source.ascending() ? EXACT : EXACT.negate();
        boolean away = source.ascending() == (next.signum() > 0);
        String date = past || !away
                ? ""
                : facts.forecast()
                        .reaches(source, last)
                        .map(day -> "; at its pace so far, it gets there on " + day)
                        .orElse("");
        return new InspectionFinding(
                InspectionFault.BEYOND_EXACT_DOUBLES,
                source.subject(),
                (past
                                ? "generates " + next + ", beyond 2^53"
                                : Share.before(next.abs(), BigInteger.ZERO, EXACT)
                                        + " of the numbers up to 2^53 are used")
                        + ": JavaScript and many readers of JSON round larger numbers" + date,
                Optional.of(new Remedy(
                        "pass the numbers to clients as strings, or read them there as 64-bit integers",
                        Remedy.Kind.ADVICE)));
    }
}
