// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.LibrarySequence;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is generated next is in the column already, or will be. */
final class BehindRule implements Rule {

    private static final String FOREIGN =
            "; the sequence belongs to somebody else than the table, whose owner could so use up its"
                    + " numbers: raise it only if that column is meant to draw from it";

    @Override
    public List<InspectionFinding> find(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            for (NumberedColumn column : source.columns()) {
                behind(source, source.ascending() ? column.highest() : column.lowest())
                        .ifPresent(held -> found.add(new InspectionFinding(
                                InspectionFault.BEHIND,
                                column.path(),
                                what(source, held) + (column.foreign() ? FOREIGN : ""),
                                facts.engine().map(engine -> raise(engine, source, column, held)))));
            }
            source.counter()
                    .flatMap(counter -> behind(source, source.ascending() ? counter.highest() : counter.lowest())
                            .map(held -> found(facts, source, counter, held)))
                    .ifPresent(found::add);
        }
        return found;
    }

    /** Returns the number that the source has yet to pass; empty if it is beyond it, or not known to be behind. */
    private static Optional<BigInteger> behind(RuleSource source, Optional<BigInteger> held) {
        if (source.exhausted()) {
            return Optional.empty();
        }
        return held.filter(number ->
                source.next().filter(next -> !source.beyond(next, number)).isPresent());
    }

    private static String what(RuleSource source, BigInteger held) {
        String next = source.next().map(BigInteger::toString).orElse("");
        String from = source.sequence()
                .map(sequence -> sequence.ofIdentity() ? "its identity generates " : sequence.name() + " deals ")
                .orElse("it generates ");
        String spent = spent(source, held)
                .map(share -> "; beyond " + held + ", " + share
                        + " of the numbers are used up: look first whether that row" + " is meant")
                .orElse("");
        return "holds " + held + " already, and " + from + next + " next: inserts will fail or repeat numbers" + spent;
    }

    private static InspectionFinding found(Facts facts, RuleSource source, LibrarySequence counter, BigInteger held) {
        ColumnPath column = counter.column().orElseThrow();
        return new InspectionFinding(
                InspectionFault.BEHIND,
                source.subject(),
                "deals " + source.next().orElseThrow() + " next, and " + column + " holds " + held
                        + " already: inserts will fail or repeat numbers",
                Optional.of(beyondEnd(source, held, column.toString())
                        .orElseGet(() -> facts.commands().sync(source.subject(), column))));
    }

    /**
     * A raise that leaves few numbers does not only raise: a single row, such as one for tests, may be why. Nor does one for
     * the table of another owner.
     */
    private static Remedy raise(EngineInspection engine, RuleSource source, NumberedColumn column, BigInteger held) {
        Optional<Remedy> end = beyondEnd(source, held, column.path());
        if (end.isPresent()) {
            return end.get();
        }
        Remedy raise = source.sequence()
                .map(sequence -> engine.raise(sequence, held))
                .orElseGet(() -> engine.raise(column, held));
        return raise.kind() == Remedy.Kind.RAISES
                        && (column.foreign() || spent(source, held).isPresent())
                ? Remedy.statement(raise.text(), Remedy.Kind.CHANGES)
                : raise;
    }

    /** Returns what a raise beyond {@code held} uses up, if that is most of what there is. */
    private static Optional<Share> spent(RuleSource source, BigInteger held) {
        return Optional.of(source.usedOfNearestAt(needed(source, held))).filter(Share::isMost);
    }

    private static BigInteger needed(RuleSource source, BigInteger held) {
        return source.sequence().isPresent() || source.counter().isPresent()
                ? NativeSequence.firstBeyond(held, source.next().orElse(source.start()), source.increment())
                : held.add(source.increment()); // the server finds the one that is its own
    }

    /** Returns what to do if no number is left beyond what a column holds: of the source's, or of the column's type. */
    private static Optional<Remedy> beyondEnd(RuleSource source, BigInteger held, String column) {
        BigInteger needed = needed(source, held);
        BigInteger end = source.nearestEnd();
        boolean ofType = !end.equals(source.last());
        return source.beyond(needed, end)
                ? Optional.of(new Remedy(
                        (ofType ? "the type of " + column : source.subject()) + " ends at " + end + ", before " + needed
                                + ": give it a wider " + (ofType ? "one" : "range") + ", or remove that number from "
                                + column,
                        Remedy.Kind.ADVICE))
                : Optional.empty();
    }
}
