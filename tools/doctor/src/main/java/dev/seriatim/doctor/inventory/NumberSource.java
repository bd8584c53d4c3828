// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.doctor.inventory.EngineCatalog.Extent;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A source of numbers, and the columns that hold them.
 *
 * @param name the sequence, or the table of a column that needs none
 * @param next the number that it generates next; empty if none is left or that is not known
 * @param increment the distance between numbers; negative if it descends, 0 if the server decides
 * @param range the numbers between which it runs
 * @param cycle whether it begins again at its end
 * @param cache how many numbers a session or a server takes at a time; at least 1
 * @param owner the column that a sequence is dropped with
 * @param columns the columns that draw from it, or that hold the numbers of a sequence of this library
 */
public record NumberSource(
        Kind kind,
        ObjectName name,
        Optional<BigInteger> next,
        boolean usedUp,
        BigInteger start,
        BigInteger increment,
        ValueRange range,
        boolean cycle,
        long cache,
        Optional<ColumnPath> owner,
        List<NumberedColumn> columns) {

    public enum Kind {
        SEQUENCE,
        IDENTITY,
        AUTO_INCREMENT,
        /** SQLite's row number, with or without {@code AUTOINCREMENT}. */
        ROWID,
        /** Spanner's sequence, or that of its identity column. Its numbers here are the counter's; see {@link #reversed}. */
        BIT_REVERSED,
        /** A default or an identity whose sequence is not known. */
        UNKNOWN,
        /** A sequence of this library. */
        COUNTER
    }

    static NumberSource of(NumberedColumn column) {
        return of(Kind.UNKNOWN, column, Optional.empty(), BigInteger.ONE);
    }

    /** Returns a column that needs no sequence. */
    static NumberSource of(Kind kind, NumberedColumn column, Optional<BigInteger> next, BigInteger increment) {
        // MySQL shows the last number as the next one, before and after it is used.
        BigInteger last = column.range().highest();
        boolean usedUp =
                column.held().filter(held -> held.highest().equals(last)).isPresent();
        return new NumberSource(
                kind,
                column.table(),
                next,
                usedUp,
                BigInteger.ONE,
                increment,
                column.range(),
                false,
                1,
                Optional.empty(),
                List.of(column));
    }

    public static NumberSource of(SequenceState state, Optional<ColumnPath> column, Optional<ValueRange> held) {
        SequenceDefinition definition = state.definition();
        ValueRange range = new ValueRange(BigInteger.valueOf(definition.min()), BigInteger.valueOf(definition.max()));
        return new NumberSource(
                Kind.COUNTER,
                new ObjectName("", definition.name()),
                Optional.of(BigInteger.valueOf(state.nextValue())),
                state.usedUp(),
                BigInteger.valueOf(definition.start()),
                BigInteger.valueOf(definition.increment()),
                range,
                definition.cycle(),
                1,
                Optional.empty(),
                column.stream()
                        .map(path -> new NumberedColumn(path, "", range, false, held, false, List.of()))
                        .toList());
    }

    /** Returns the same sequence with the number after its last one, perhaps beyond the range; empty if it is not known. */
    NumberSource at(Optional<BigInteger> following, List<NumberedColumn> drawing) {
        boolean ended =
                usedUp || following.filter(value -> beyond(value, last())).isPresent();
        return new NumberSource(
                kind,
                name,
                ended ? Optional.of(range.end(!ascending())).filter(first -> cycle) : following,
                ended && !cycle,
                start,
                increment,
                range,
                cycle,
                cache,
                owner,
                drawing);
    }

    /** Returns the same sequence with one more column, for which applications draw. */
    NumberSource and(Extent column) {
        NumberedColumn applied = new NumberedColumn(column.column(), "", range, false, column.held(), true, List.of());
        return at(next, Stream.concat(columns.stream(), Stream.of(applied)).toList());
    }

    /** Returns its name. The sequence of an identity column is named by its column, since its own name is generated. */
    public Object subject() {
        return switch (kind) {
            case SEQUENCE, COUNTER -> name;
            case IDENTITY, BIT_REVERSED -> owner.isPresent() ? owner.get() : name;
            default -> columns.get(0).name();
        };
    }

    /** Returns what a report calls its kind. */
    public String kindOf() {
        return isSequence() ? "sequence" : isColumn() ? "column" : "counter";
    }

    /** Returns whether it is a column that needs no sequence, or whose sequence is not known. */
    public boolean isColumn() {
        return !isSequence() && kind != Kind.COUNTER;
    }

    public boolean isSequence() {
        return kind == Kind.SEQUENCE || kind == Kind.IDENTITY || kind == Kind.BIT_REVERSED;
    }

    /** Returns the number that Spanner generates from a counter. */
    public static BigInteger reversed(BigInteger counter) {
        return BigInteger.valueOf(Long.reverse(counter.longValue()) >>> 1);
    }

    /** Returns whether it is a sequence that counts in steps of another size than 1, as optimizers need them. */
    public boolean steps() {
        return isSequence() && increment.signum() != 0 && !increment.equals(BigInteger.ONE);
    }

    /** Returns whether it counts up; an increment that the server chooses does. */
    public boolean ascending() {
        return increment.signum() >= 0;
    }

    public BigInteger last() {
        return last(range);
    }

    public BigInteger last(ValueRange of) {
        return of.end(ascending());
    }

    public boolean beyond(BigInteger number, BigInteger other) {
        return ascending() ? number.compareTo(other) > 0 : number.compareTo(other) < 0;
    }

    /** Returns whether all numbers that are left in its range are dealt, for good. */
    public boolean exhausted() {
        return !cycle && (usedUp || next.filter(value -> beyond(value, last())).isPresent());
    }

    /** Returns the number of a column that it has yet to pass; empty if there is none, or that is not known. */
    public Optional<BigInteger> notPassed(NumberedColumn column) {
        return column.held()
                .map(this::last)
                .filter(held -> !exhausted()
                        && next.filter(value -> !beyond(value, held)).isPresent());
    }

    /**
     * Returns the first number beyond {@code held} among those that it generates from its next number on, regardless of its end.
     * Between them lie the numbers of others: databases that share a range deal every tenth each.
     */
    public BigInteger firstBeyond(BigInteger held) {
        if (isColumn() || increment.signum() == 0) {
            return held.add(increment.max(BigInteger.ONE)); // the server finds the number that is its own
        }
        BigInteger from = next.orElse(start);
        if (beyond(from, held)) {
            return from;
        }
        BigInteger steps = held.subtract(from).divide(increment).add(BigInteger.ONE);
        return from.add(increment.multiply(steps));
    }

    /** Returns the range that ends first: its own, or that of the narrowest type of a column that draws from it. */
    public ValueRange nearest() {
        return columns.stream()
                .map(NumberedColumn::range)
                .filter(of -> beyond(last(), last(of)))
                .reduce((one, other) -> beyond(last(one), last(other)) ? other : one)
                .orElse(range);
    }

    /** Returns where it ends: with its range, or earlier with the narrowest type of a column that draws from it. */
    public BigInteger nearestEnd() {
        return last(nearest());
    }

    /** Returns how much is used up to the {@link #nearestEnd}; empty if that is not known. */
    public Optional<Share> usedOfNearest() {
        return usedUp ? Optional.of(Share.ALL) : usedOf(nearest());
    }

    /** Returns how much of a range is used; empty if that is not known. */
    public Optional<Share> usedOf(ValueRange of) {
        return next.map(value -> used(value, of));
    }

    /**
     * Returns how much of a range lies before a number. A range that reaches over 0 is rarely used from its very end, such as one of
     * all 64-bit numbers that starts with 1.
     */
    public Share used(BigInteger value, ValueRange of) {
        BigInteger first = of.end(!ascending());
        if (beyond(BigInteger.ZERO, first)) {
            BigInteger usual = beyond(BigInteger.ZERO, start) ? start : BigInteger.ZERO;
            first = beyond(usual, value) ? first : usual;
        }
        return Share.before(value, first, last(of));
    }
}
