// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.NumberSource.Kind;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.inventory.Share;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * Rules about the next number: it is in a column already, it is among the last, or clients round it. Not thread-safe.
 *
 * @param found receives the findings
 */
record NumberRules(Facts facts, List<InspectionFinding> found) {

    private static final String FOREIGN = """
            ; the sequence and the table have different owners, and the owner of the table could so use up the \
            sequence's numbers: raise it only if that column is meant to draw from it""";

    private static final BigInteger EXACT = BigInteger.TWO.pow(53);

    /** A sequence that begins far beyond is meant to. */
    private static final BigInteger NEAR = EXACT.add(EXACT.shiftRight(2));

    /** Finds columns that hold the next number, or one that comes after it. */
    void behind(NumberSource source) {
        for (NumberedColumn column : source.columns()) {
            source.notPassed(column).ifPresent(held -> found.add(behind(source, column, held)));
        }
    }

    private InspectionFinding behind(NumberSource source, NumberedColumn column, BigInteger held) {
        BigInteger next = source.next().orElseThrow();
        Remedy remedy = raise(source, column, held);
        if (source.kind() == Kind.COUNTER) {
            return Fault.BEHIND.of(source.subject(), """
                    deals %s next, and %s holds %s already: inserts will \
                    fail or repeat numbers""".formatted(next, column.path(), held), remedy);
        }
        String generates = switch (source.kind()) {
            case IDENTITY -> "its identity generates";
            case COLUMN -> "it generates";
            default -> source.name() + " deals";
        };
        String spending =
                spent(source, held).map(share -> """
                        ; beyond %s, %s of the numbers are used up: look first whether \
                        that row is meant""".formatted(held, share)).orElse("");
        return Fault.BEHIND.of(
                column.path(), """
                holds %s already, and %s %s next: inserts will fail or repeat numbers%s%s""".formatted(held, generates, next, spending, column.foreign() ? FOREIGN : ""), remedy);
    }

    /** Returns the share that a raise beyond {@code held} uses up, if that is most of the numbers. */
    private static Optional<Share> spent(NumberSource source, BigInteger held) {
        return Optional.of(source.usedOfNearestAt(source.firstBeyond(held))).filter(Share::isMost);
    }

    /**
     * Advises if no number is left beyond what a column holds: of the source's, or of the column's type. A raise that leaves few
     * numbers does not only raise: a single row, such as one for tests, may be why. Nor does a raise for the table of another owner.
     */
    private Remedy raise(NumberSource source, NumberedColumn column, BigInteger held) {
        BigInteger needed = source.firstBeyond(held);
        BigInteger end = source.nearestEnd();
        if (source.beyond(needed, end)) {
            boolean ofType = !end.equals(source.last());
            return Remedy.advice("""
                    %s ends at %s, before %s: give it a wider %s, or remove that number from %s""".formatted(
                            ofType ? "the type of " + column.path() : source.subject(),
                            end,
                            needed,
                            ofType ? "one" : "range",
                            column.path()));
        }
        Remedy raise = facts.remedies(source).raise(source, held);
        boolean unasked = raise.kind() == Remedy.Kind.RAISES;
        return unasked && (column.foreign() || spent(source, held).isPresent()) ? Remedy.changes(raise.text()) : raise;
    }

    /** Finds sources without numbers, or with few: of a sequence's range, or of a column's type if that ends earlier. */
    void range(NumberSource source) {
        boolean isColumn = source.kind() == Kind.COLUMN;
        if (!isColumn) {
            ofOwnRange(source);
        }
        for (NumberedColumn column : source.columns()) {
            if (isColumn || source.beyond(source.last(), source.last(column.range()))) {
                ofType(source, column);
            }
        }
    }

    private void ofOwnRange(NumberSource source) {
        if (source.exhausted()) {
            found.add(Fault.EXHAUSTED.of(
                    source.subject(),
                    "has dealt its last number, " + source.last() + ": draws fail",
                    moreRoom(source)));
            return;
        }
        source.usedOf(source.range())
                .filter(share -> share.isMost() && !source.cycle())
                .ifPresent(share -> found.add(Fault.RUNNING_OUT.of(
                        source.subject(),
                        share + " of its numbers up to " + source.last() + " are used"
                                + facts.date(source, source.last(), "the last one"),
                        moreRoom(source))));
    }

    private void ofType(NumberSource source, NumberedColumn column) {
        BigInteger last = source.last(column.range());
        boolean past = source.next().filter(next -> source.beyond(next, last)).isPresent();
        Remedy wider = facts.remedies(source).widen(source, column);
        if (past || (source.kind() == Kind.COLUMN && source.usedUp())) {
            found.add(Fault.EXHAUSTED.of(column.path(), """
                    its type %s ends at %s, and what is generated next does not fit: inserts \
                    fail""".formatted(column.type(), last), wider));
            return;
        }
        source.usedOf(column.range())
                .filter(Share::isMost)
                .ifPresent(share -> found.add(Fault.TYPE_RUNNING_OUT.of(
                        column.path(),
                        """
                        %s of the numbers that its type %s holds, up to %s, are used%s""".formatted(share, column.type(), last, facts.date(source, last, "the last one")),
                        wider)));
    }

    private Remedy moreRoom(NumberSource source) {
        return source.columns().stream()
                .filter(column -> source.isSequence() && !source.beyond(source.last(column.range()), source.last()))
                .findFirst()
                .map(tight -> facts.remedies(source).widen(source, tight))
                .orElseGet(() -> facts.remedies(source).extend(source));
    }

    /** Finds sources that deal numbers beyond 2^53, or soon do. */
    void exactDoubles(NumberSource source) {
        if (source.nearestEnd().abs().compareTo(EXACT) > 0 && !source.exhausted()) {
            source.next()
                    .filter(next ->
                            next.abs().compareTo(NEAR) <= 0 && ofExact(next).isMost())
                    .ifPresent(next -> found.add(exactDoubles(source, next)));
        }
    }

    private static Share ofExact(BigInteger next) {
        return Share.before(next.abs(), BigInteger.ZERO, EXACT);
    }

    private InspectionFinding exactDoubles(NumberSource source, BigInteger next) {
        boolean past = next.abs().compareTo(EXACT) > 0;
        boolean away = source.ascending() == (next.signum() > 0);
        BigInteger limit = source.ascending() ? EXACT : EXACT.negate();
        String date = past || !away ? "" : facts.date(source, limit, "it gets there");
        String reached =
                past ? "generates " + next + ", beyond 2^53" : ofExact(next) + " of the numbers up to 2^53 are used";
        return Fault.BEYOND_EXACT_DOUBLES.of(source.subject(), """
                %s: JavaScript and many readers of JSON round larger numbers%s""".formatted(reached, date), """
                pass the numbers to clients as strings, or read them there as 64-bit integers""");
    }
}
