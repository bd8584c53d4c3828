// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** No number is left, or few: of the sequence's range, or of what the column's type holds if that ends earlier. */
final class RangeRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            boolean ownColumn = source.sequence().isEmpty() && source.counter().isEmpty();
            if (ownColumn) {
                source.columns().forEach(column -> ofType(facts, source, column).ifPresent(found::add));
                continue;
            }
            ofOwnRange(facts, source).ifPresent(found::add);
            source.columns().stream()
                    .filter(column -> source.beyond(source.last(), source.last(column.range())))
                    .forEach(column -> ofType(facts, source, column).ifPresent(found::add));
        }
        return found;
    }

    private static Optional<InspectionFinding> ofOwnRange(Facts facts, RuleSource source) {
        if (source.exhausted()) {
            return Optional.of(new InspectionFinding(
                    InspectionFault.EXHAUSTED,
                    source.subject(),
                    "has dealt its last number, " + source.last() + ": draws fail",
                    moreRoom(facts, source)));
        }
        return source.cycle()
                ? Optional.empty()
                : source.used()
                        .filter(Share::isMost)
                        .map(share -> new InspectionFinding(
                                InspectionFault.RUNNING_OUT,
                                source.subject(),
                                share + " of its numbers up to " + source.last() + " are used"
                                        + date(facts, source, source.last()),
                                moreRoom(facts, source)));
    }

    private static Optional<InspectionFinding> ofType(Facts facts, RuleSource source, NumberedColumn column) {
        BigInteger last = source.last(column.range());
        String type = "its type " + column.type();
        boolean past = source.next().filter(next -> source.beyond(next, last)).isPresent();
        if (past || (source.sequence().isEmpty() && source.usedUp())) {
            return Optional.of(new InspectionFinding(
                    InspectionFault.EXHAUSTED,
                    column.path(),
                    type + " ends at " + last + ", and what is generated next does not fit: inserts fail",
                    widen(facts, column)));
        }
        return source.usedOf(column)
                .filter(Share::isMost)
                .map(share -> new InspectionFinding(
                        InspectionFault.TYPE_RUNNING_OUT,
                        column.path(),
                        share + " of the numbers that " + type + " holds, up to " + last + ", are used"
                                + date(facts, source, last),
                        widen(facts, column)));
    }

    private static String date(Facts facts, RuleSource source, BigInteger last) {
        return facts.forecast()
                .reaches(source, last)
                .map(day -> "; at its pace so far, the last one on " + day)
                .orElse("");
    }

    private static Optional<Remedy> widen(Facts facts, NumberedColumn column) {
        return facts.engine().map(engine -> engine.widen(column));
    }

    private static Optional<Remedy> moreRoom(Facts facts, RuleSource source) {
        if (source.counter().isPresent()) {
            BigInteger widest = BigInteger.valueOf(source.ascending() ? Long.MAX_VALUE : Long.MIN_VALUE);
            return Optional.of(
                    source.last().equals(widest)
                            ? new Remedy("begin another sequence: 64 bits hold no further number", Remedy.Kind.ADVICE)
                            : facts.commands().widen(source.subject(), source.ascending()));
        }
        Optional<NumberedColumn> tight = source.columns().stream()
                .filter(column -> !source.beyond(source.last(column.range()), source.last()))
                .findFirst();
        return tight.isPresent()
                ? widen(facts, tight.get())
                : Optional.of(new Remedy(
                        "let it run further with ALTER SEQUENCE … " + (source.ascending() ? "MAXVALUE" : "MINVALUE"),
                        Remedy.Kind.ADVICE));
    }
}
