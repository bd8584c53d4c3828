// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.doctor.inventory.Extremes;
import dev.seriatim.doctor.inventory.LibrarySequence;
import dev.seriatim.doctor.inventory.NativeSequence;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.ValueRange;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * A source of numbers: a native sequence, a column that needs none, or a sequence of this library.
 *
 * @param sequence the native sequence, if it is one
 * @param counter the sequence of this library, if it is one
 * @param subject its name for display
 * @param next the number that it generates next, if known
 * @param usedUp whether no number is left
 * @param increment the distance between numbers
 * @param start the first number
 * @param range the numbers between which it runs
 * @param cycle whether it begins again at its end
 * @param columns the columns that draw from it; none for a sequence of this library
 */
public record RuleSource(
        Optional<NativeSequence> sequence,
        Optional<LibrarySequence> counter,
        String subject,
        Optional<BigInteger> next,
        boolean usedUp,
        BigInteger increment,
        BigInteger start,
        ValueRange range,
        boolean cycle,
        List<NumberedColumn> columns) {

    /** The sequence of an identity column is named by its column, since its own name is generated. */
    static RuleSource of(NativeSequence sequence, List<NumberedColumn> columns) {
        String subject = sequence.ofIdentity() && sequence.owner().isPresent()
                ? sequence.owner().get().toString()
                : sequence.name().toString();
        return new RuleSource(
                Optional.of(sequence),
                Optional.empty(),
                subject,
                sequence.next(),
                sequence.usedUp(),
                sequence.increment(),
                sequence.start(),
                sequence.range(),
                sequence.cycle(),
                columns);
    }

    static RuleSource of(NumberedColumn column) {
        boolean up = column.increment().signum() >= 0;
        // MySQL shows the last number as the next one, before and after it is used.
        boolean usedUp = column.extremes()
                .furthest(up)
                .filter(column.range().end(up)::equals)
                .isPresent();
        return new RuleSource(
                Optional.empty(),
                Optional.empty(),
                column.path(),
                column.next(),
                usedUp,
                column.increment(),
                BigInteger.valueOf(up ? 1 : -1),
                column.range(),
                false,
                List.of(column));
    }

    static RuleSource of(LibrarySequence counter) {
        SequenceState state = counter.state();
        SequenceDefinition definition = state.definition();
        return new RuleSource(
                Optional.empty(),
                Optional.of(counter),
                definition.name(),
                Optional.of(BigInteger.valueOf(state.nextValue())),
                state.usedUp(),
                BigInteger.valueOf(definition.increment()),
                BigInteger.valueOf(definition.start()),
                new ValueRange(BigInteger.valueOf(definition.min()), BigInteger.valueOf(definition.max())),
                definition.cycle(),
                List.of());
    }

    /** Returns its kind: {@code sequence}, {@code column}, or {@code counter} for a sequence of this library. */
    public String kind() {
        return sequence.isPresent() ? "sequence" : counter.isPresent() ? "counter" : "column";
    }

    /** Returns whether it is a column that needs no sequence. */
    boolean isColumn() {
        return sequence.isEmpty() && counter.isEmpty();
    }

    /** Returns whether it counts up; an increment that the server chooses does. */
    public boolean ascending() {
        return increment.signum() >= 0;
    }

    /** Returns the end of its range. */
    public BigInteger last() {
        return last(range);
    }

    /** Returns the end of another range, in its direction. */
    BigInteger last(ValueRange of) {
        return of.end(ascending());
    }

    /** Returns whether a number comes later than another. */
    boolean beyond(BigInteger number, BigInteger other) {
        return ascending() ? number.compareTo(other) > 0 : number.compareTo(other) < 0;
    }

    /** Returns whether all numbers that are left in its range are dealt, for good. */
    public boolean exhausted() {
        return !cycle && (usedUp || next.filter(value -> beyond(value, last())).isPresent());
    }

    /** Returns the number of a column that it has yet to pass; empty if there is none, or that is not known. */
    Optional<BigInteger> notPassed(Extremes column) {
        return column.furthest(ascending())
                .filter(held -> !exhausted()
                        && next.filter(value -> !beyond(value, held)).isPresent());
    }

    /** Returns the range that ends first: its own, or that of the narrowest type of a column that draws from it. */
    private ValueRange nearest() {
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

    /** Returns how much is used up to the {@link #nearestEnd} once {@code value} is generated next. */
    Share usedOfNearestAt(BigInteger value) {
        ValueRange nearest = nearest();
        return Share.before(value, first(value, nearest), last(nearest));
    }

    /** Returns how much of its own range is used; empty if that is not known. */
    Optional<Share> used() {
        return usedUp ? Optional.of(Share.ALL) : usedOf(range);
    }

    /** Returns how much of a range is used; empty if that is not known. */
    Optional<Share> usedOf(ValueRange of) {
        return next.map(value -> Share.before(value, first(value, of), last(of)));
    }

    /**
     * Returns where the numbers begin that count as used: a range that reaches over 0 is rarely used from its very end, such as one
     * of all 64-bit numbers that starts with 1.
     */
    private BigInteger first(BigInteger value, ValueRange of) {
        BigInteger end = of.end(!ascending());
        boolean overZero = ascending() ? end.signum() < 0 : end.signum() > 0;
        if (!overZero) {
            return end;
        }
        boolean startsOverThere = ascending() ? start.signum() < 0 : start.signum() > 0;
        BigInteger usual = startsOverThere ? start : BigInteger.ZERO;
        return beyond(usual, value) ? end : usual;
    }
}
