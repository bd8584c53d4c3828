// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFault;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.LibrarySequence;
import dev.seriatim.doctor.inventory.NativeSequence;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.Remedies;
import dev.seriatim.doctor.inventory.Remedy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules about the next number: it is in a column already, it is among the last, or clients round it. Stateless. */
final class NumberRules {

    private static final String FOREIGN = """
            ; the sequence and the table have different owners, and the owner of the table could so use up the \
            sequence's numbers: raise it only if that column is meant to draw from it""";

    private static final BigInteger EXACT = BigInteger.TWO.pow(53);

    /** A sequence that begins far beyond is meant to. */
    private static final BigInteger NEAR = EXACT.add(EXACT.shiftRight(2));

    private NumberRules() {}

    /** Finds columns that hold the next number, or one that comes after it. */
    static List<InspectionFinding> behind(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            for (NumberedColumn column : source.columns()) {
                source.notPassed(column.extremes())
                        .ifPresent(held -> found.add(new InspectionFinding(
                                InspectionFault.BEHIND,
                                column.path(),
                                """
                                holds %s already, and %s next: inserts will fail or repeat numbers%s%s""".formatted(
                                                held,
                                                generates(source),
                                                spending(source, held),
                                                column.foreign() ? FOREIGN : ""),
                                facts.remedies().map(remedies -> raise(remedies, source, column, held)))));
            }
            source.counter()
                    .ifPresent(counter -> source.notPassed(counter.extremes())
                            .ifPresent(held -> found.add(behind(facts, source, counter, held))));
        }
        return found;
    }

    private static InspectionFinding behind(Facts facts, RuleSource source, LibrarySequence counter, BigInteger held) {
        ColumnPath column = counter.column().orElseThrow();
        return new InspectionFinding(
                InspectionFault.BEHIND,
                source.subject(),
                """
                deals %s next, and %s holds %s already: inserts will \
                fail or repeat numbers""".formatted(source.next().orElseThrow(), column, held),
                beyondEnd(source, held, column.toString())
                        .orElseGet(() -> facts.commands().sync(source.subject(), column)));
    }

    private static String generates(RuleSource source) {
        BigInteger next = source.next().orElseThrow();
        return source.sequence()
                        .map(sequence ->
                                sequence.ofIdentity() ? "its identity generates " : sequence.name() + " deals ")
                        .orElse("it generates ")
                + next;
    }

    private static String spending(RuleSource source, BigInteger held) {
        return spent(source, held).map(share -> """
                        ; beyond %s, %s of the numbers are used up: look first whether \
                        that row is meant""".formatted(held, share)).orElse("");
    }

    /** Returns the share that a raise beyond {@code held} uses up, if that is most of the numbers. */
    private static Optional<Share> spent(RuleSource source, BigInteger held) {
        return Optional.of(source.usedOfNearestAt(needed(source, held))).filter(Share::isMost);
    }

    /**
     * A raise that leaves few numbers does not only raise: a single row, such as one for tests, may be why. Nor does a raise for
     * the table of another owner.
     */
    private static Remedy raise(Remedies remedies, RuleSource source, NumberedColumn column, BigInteger held) {
        return beyondEnd(source, held, column.path()).orElseGet(() -> {
            Remedy raise = source.sequence()
                    .map(sequence -> remedies.raise(sequence, held))
                    .orElseGet(() -> remedies.raise(column, held));
            boolean unasked = raise.kind() == Remedy.Kind.RAISES;
            return unasked && (column.foreign() || spent(source, held).isPresent())
                    ? Remedy.statement(raise.text(), Remedy.Kind.CHANGES)
                    : raise;
        });
    }

    private static BigInteger needed(RuleSource source, BigInteger held) {
        return source.isColumn()
                ? held.add(source.increment()) // The server finds the number that is its own.
                : NativeSequence.firstBeyond(held, source.next().orElse(source.start()), source.increment());
    }

    /** Returns advice if no number is left beyond what a column holds: of the source's, or of the column's type. */
    private static Optional<Remedy> beyondEnd(RuleSource source, BigInteger held, String column) {
        BigInteger needed = needed(source, held);
        BigInteger end = source.nearestEnd();
        boolean ofType = !end.equals(source.last());
        return source.beyond(needed, end)
                ? Optional.of(new Remedy(
                        """
                        %s ends at %s, before %s: give it a wider %s, or remove that number from %s""".formatted(
                                        ofType ? "the type of " + column : source.subject(),
                                        end,
                                        needed,
                                        ofType ? "one" : "range",
                                        column),
                        Remedy.Kind.ADVICE))
                : Optional.empty();
    }

    /** Finds sources without numbers, or with few: of a sequence's range, or of a column's type if that ends earlier. */
    static List<InspectionFinding> range(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            if (!source.isColumn()) {
                ofOwnRange(facts, source).ifPresent(found::add);
            }
            source.columns().stream()
                    .filter(column -> source.isColumn() || source.beyond(source.last(), source.last(column.range())))
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
        return source.used()
                .filter(share -> share.isMost() && !source.cycle())
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
        if (past || (source.isColumn() && source.usedUp())) {
            return Optional.of(new InspectionFinding(
                    InspectionFault.EXHAUSTED, column.path(), """
                    %s ends at %s, and what is generated next does \
                    not fit: inserts fail""".formatted(type, last), widen(facts, column)));
        }
        return source.usedOf(column.range())
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
        return facts.remedies().map(remedies -> remedies.widen(column));
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

    /** Finds sources that deal numbers beyond 2^53, or soon do. */
    static List<InspectionFinding> exactDoubles(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            boolean endsBefore = source.nearestEnd().abs().compareTo(EXACT) <= 0;
            if (!endsBefore && !source.exhausted()) {
                source.next()
                        .filter(next -> next.abs().compareTo(NEAR) <= 0
                                && Share.before(next.abs(), BigInteger.ZERO, EXACT)
                                        .isMost())
                        .ifPresent(next -> found.add(exactDoubles(facts, source, next)));
            }
        }
        return found;
    }

    private static InspectionFinding exactDoubles(Facts facts, RuleSource source, BigInteger next) {
        boolean past = next.abs().compareTo(EXACT) > 0;
        boolean away = source.ascending() == (next.signum() > 0);
        String date = past || !away
                ? ""
                : facts.forecast()
                        .reaches(source, source.ascending() ? EXACT : EXACT.negate())
                        .map(day -> "; at its pace so far, it gets there on " + day)
                        .orElse("");
        String reached = past
                ? "generates " + next + ", beyond 2^53"
                : Share.before(next.abs(), BigInteger.ZERO, EXACT) + " of the numbers up to 2^53 are used";
        return new InspectionFinding(
                InspectionFault.BEYOND_EXACT_DOUBLES,
                source.subject(),
                """
                %s: JavaScript and many readers of JSON round larger numbers%s""".formatted(reached, date),
                new Remedy(
                        "pass the numbers to clients as strings, or read them there as 64-bit integers",
                        Remedy.Kind.ADVICE));
    }
}
