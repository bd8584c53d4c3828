// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The state of a sequence: its definition and its counter. Pure arithmetic, shared by every store that computes
 * reservations outside its database.
 *
 * <p>Immutable and thread-safe. No operation overflows, whatever the bounds and the sign of the increment.
 *
 * @param nextValue the value that is dealt next, within {@code min … max}; if used up, the last value dealt
 * @param usedUp whether the last value has been dealt
 * @param epoch see {@link Reservation#epoch()}
 */
public record SequenceState(SequenceDefinition definition, long nextValue, boolean usedUp, long epoch) {

    /** Throws {@link SequenceException.Misconfigured} if the counter is outside the bounds. */
    public SequenceState {
        if (nextValue < definition.min() || nextValue > definition.max()) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    "the counter " + nextValue + " is outside " + definition.min() + " … " + definition.max()
                            + "; restart the sequence inside its bounds or widen them");
        }
    }

    /** A reservation, and the state after it. */
    public record Taken(Reservation reservation, SequenceState after) {}

    /** Returns a sequence that has dealt nothing. The epoch must be above that of any dropped sequence of this name. */
    public static SequenceState fresh(SequenceDefinition definition, long epoch) {
        return new SequenceState(definition, definition.start(), false, epoch);
    }

    /**
     * Takes the next values.
     *
     * <ol>
     *   <li>If nothing is left, a cycle starts over at {@link SequenceDefinition#origin()} in a new epoch; without a
     *       cycle, the sequence is exhausted.
     *   <li>The block is shortened to what is left.
     *   <li>The counter moves past the block; if no value is left after it, the sequence is used up.
     * </ol>
     *
     * @param count the number of values, at least 1, or {@link SequenceStore#CACHE} for the definition's block size
     * @throws SequenceException.Exhausted if nothing is left
     */
    public Taken take(long count) {
        if (usedUp) {
            if (!definition.cycle()) {
                throw new SequenceException.Exhausted(definition);
            }
            return new SequenceState(definition, definition.origin(), false, epoch + 1).take(count);
        }
        long wanted =
                SequenceStore.checkCount(definition.name(), count) == SequenceStore.CACHE ? definition.cache() : count;
        long beyondFirst = stepsLeft();
        boolean last = Long.compareUnsigned(wanted - 1, beyondFirst) >= 0;
        long taken = last ? beyondFirst + 1 : wanted;
        Block block = new Block(nextValue, taken, definition.increment());
        SequenceState after = last
                ? new SequenceState(definition, block.last(), true, epoch)
                : new SequenceState(definition, block.last() + definition.increment(), false, epoch);
        return new Taken(new Reservation(block, definition, epoch), after);
    }

    /** Returns the state after the unused end of a block is given back; empty if anything was taken since. */
    public Optional<SequenceState> giveBack(Block unused, long blockEpoch) {
        boolean nothingSince = epoch == blockEpoch
                && unused.increment() == definition.increment()
                && (usedUp ? nextValue == unused.last() : nextValue - definition.increment() == unused.last())
                && unused.first() >= definition.min()
                && unused.first() <= definition.max();
        return nothingSince
                ? Optional.of(new SequenceState(definition, unused.first(), false, epoch))
                : Optional.empty();
    }

    /**
     * Returns the state whose next value is {@code value} or a later one in the sequence's direction. Never moves back.
     *
     * @throws SequenceException.Misconfigured if the value is outside the bounds
     */
    public SequenceState raisedTo(long value) {
        inBounds(value, "raise to ");
        boolean forward = definition.ascending() ? value > nextValue : value < nextValue;
        return forward ? new SequenceState(definition, value, false, epoch) : this;
    }

    /**
     * Returns the state that deals {@code value} next, in a new epoch.
     *
     * @throws SequenceException.Misconfigured if the value is outside the bounds
     */
    public SequenceState restartedWith(long value) {
        inBounds(value, "restart with ");
        return new SequenceState(definition, value, false, epoch + 1);
    }

    /**
     * Returns the same counter under another definition. A used-up sequence continues if the new bounds leave room
     * after the last value dealt. A change of direction starts a new epoch.
     *
     * @throws SequenceException.Misconfigured if the name differs or the counter is outside the new bounds
     */
    public SequenceState redefined(SequenceDefinition changed) {
        if (!changed.name().equals(definition.name())) {
            throw new SequenceException.Misconfigured(
                    definition.name(), "alter cannot rename a sequence; create another one");
        }
        long newEpoch = changed.ascending() == definition.ascending() ? epoch : epoch + 1;
        if (nextValue < changed.min() || nextValue > changed.max()) {
            boolean before = definition.ascending() ? nextValue < changed.min() : nextValue > changed.max();
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    "its counter stands at " + nextValue + ", outside the new bounds " + changed.min() + " … "
                            + changed.max()
                            + (before
                                    ? "; raise it to a value inside them first"
                                    : "; choose bounds that contain it, because a restart within these could deal numbers again"));
        }
        SequenceState here = new SequenceState(changed, nextValue, usedUp, newEpoch);
        return usedUp && here.stepsLeft() != 0
                ? new SequenceState(changed, nextValue + changed.increment(), false, newEpoch)
                : here;
    }

    /** Returns whether this counter is behind an earlier state: in an older epoch, or behind it in the same epoch. */
    public boolean isBehind(SequenceState seen) {
        if (epoch != seen.epoch) {
            return epoch < seen.epoch;
        }
        if (nextValue == seen.nextValue) {
            return seen.usedUp && !usedUp;
        }
        return seen.definition.ascending() ? nextValue < seen.nextValue : nextValue > seen.nextValue;
    }

    /** Returns whether the sequence deals no value up to this one, in its direction. */
    public boolean isBeyond(long value) {
        boolean past = definition.ascending() ? nextValue > value : nextValue < value;
        return past || (usedUp && nextValue == value);
    }

    /**
     * Returns the first value of the sequence beyond this one. Its step counts: databases that share a range deal, for
     * example, every tenth value each. Throws {@link SequenceException.Misconfigured} if that is out of bounds.
     */
    public long nextBeyond(long value) {
        boolean up = definition.ascending();
        BigInteger direction = BigInteger.valueOf(up ? 1 : -1);
        BigInteger increment = BigInteger.valueOf(definition.increment());
        BigInteger from = BigInteger.valueOf(value);
        BigInteger passed =
                from.subtract(BigInteger.valueOf(nextValue)).multiply(direction).mod(increment.abs());
        BigInteger next = from.add(increment).subtract(passed.multiply(direction));
        long bound = up ? definition.max() : definition.min();
        if (next.subtract(BigInteger.valueOf(bound)).signum() == direction.signum()) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    "its next number after %s is beyond %s value %s; alter that bound, or set it below %1$s to skip that one"
                            .formatted(value, up ? "max" : "min", bound));
        }
        return next.longValueExact();
    }

    /** Returns the last value dealt, assuming that one was. */
    public long lastDealt() {
        return usedUp ? nextValue : nextValue - definition.increment();
    }

    /** Returns how many values can be dealt before the end or the next cycle. */
    public BigInteger valuesLeft() {
        return usedUp ? BigInteger.ZERO : unsigned(stepsLeft()).add(BigInteger.ONE);
    }

    /** Returns the fraction of the range already used, from 0 to 1. */
    public double usedRatio() {
        if (usedUp) {
            return 1;
        }
        BigInteger size = unsigned(definition.max() - definition.min()).add(BigInteger.ONE);
        BigInteger behind =
                unsigned(definition.ascending() ? nextValue - definition.min() : definition.max() - nextValue);
        return behind.doubleValue() / size.doubleValue();
    }

    /** Returns the number of whole steps between the counter and the bound, as an unsigned number. */
    private long stepsLeft() {
        long increment = definition.increment();
        long distance = increment > 0 ? definition.max() - nextValue : nextValue - definition.min();
        return Long.divideUnsigned(distance, increment > 0 ? increment : -increment);
    }

    private void inBounds(long value, String what) {
        if (value < definition.min() || value > definition.max()) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    what + value + " is outside its bounds " + definition.min() + " … " + definition.max()
                            + "; choose a value inside them or alter the bounds first");
        }
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }
}
