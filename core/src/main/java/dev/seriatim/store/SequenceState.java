// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A sequence as it stands: its definition and its counter. Pure arithmetic, shared by every store that computes a
 * reservation outside its database.
 *
 * <p>Immutable and thread-safe. No operation overflows, whatever the bounds and the sign of the increment.
 *
 * @param definition what the sequence is
 * @param nextValue the value that is dealt next, inside {@code min … max}; when used up, the value that was dealt last
 * @param usedUp whether the last value has been dealt
 * @param epoch see {@link Reservation#epoch()}
 */
public record SequenceState(SequenceDefinition definition, long nextValue, boolean usedUp, long epoch) {

    /**
     * Checks that the counter is inside the bounds.
     *
     * @throws SequenceException.Misconfigured when it is not
     */
    public SequenceState {
        if (nextValue < definition.min() || nextValue > definition.max()) {
            throw new SequenceException.Misconfigured(
                    definition.name(),
                    "the counter " + nextValue + " is outside " + definition.min() + " … " + definition.max()
                            + "; restart the sequence inside its bounds or widen them");
        }
    }

    /** A reservation, and the state it leaves behind. */
    public record Taken(Reservation reservation, SequenceState after) {}

    /** A sequence that has dealt nothing yet. The epoch must be above that of any dropped sequence of this name. */
    public static SequenceState fresh(SequenceDefinition definition, long epoch) {
        return new SequenceState(definition, definition.start(), false, epoch);
    }

    /**
     * Takes the next values.
     *
     * <ol>
     *   <li>When nothing is left: a cycle starts over at {@link SequenceDefinition#origin()} in a new epoch; without
     *       one, the sequence is exhausted.
     *   <li>The block is shortened to what is left.
     *   <li>The counter moves behind the block; if there is no value left behind it, the sequence is used up.
     * </ol>
     *
     * @param count how many, at least 1; or {@link SequenceStore#CACHE} for the definition's block size
     * @throws SequenceException.Exhausted when nothing is left
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

    /** The state with the unused end of a block put back, if nothing was taken since; otherwise empty. */
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
     * The state whose next value is {@code value} or beyond it in the sequence's direction: never moves back.
     *
     * @throws SequenceException.Misconfigured when the value is outside the bounds
     */
    public SequenceState raisedTo(long value) {
        inBounds(value, "raise to ");
        boolean forward = definition.ascending() ? value > nextValue : value < nextValue;
        return forward ? new SequenceState(definition, value, false, epoch) : this;
    }

    /**
     * The state that deals {@code value} next, in a new epoch.
     *
     * @throws SequenceException.Misconfigured when the value is outside the bounds
     */
    public SequenceState restartedWith(long value) {
        inBounds(value, "restart with ");
        return new SequenceState(definition, value, false, epoch + 1);
    }

    /**
     * The same counter under another definition. A used-up sequence goes on when the new bounds leave room behind the
     * value dealt last. A change of direction begins a new epoch.
     *
     * @throws SequenceException.Misconfigured when the name differs or the counter is outside the new bounds
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
                                    : "; choose bounds that contain it: a restart inside these could deal numbers again"));
        }
        SequenceState here = new SequenceState(changed, nextValue, usedUp, newEpoch);
        return usedUp && here.stepsLeft() != 0
                ? new SequenceState(changed, nextValue + changed.increment(), false, newEpoch)
                : here;
    }

    /** Whether this counter has not come as far as an earlier look at it: of an older epoch, or behind it in the same one. */
    public boolean isBehind(SequenceState seen) {
        if (epoch != seen.epoch) {
            return epoch < seen.epoch;
        }
        if (nextValue == seen.nextValue) {
            return seen.usedUp && !usedUp;
        }
        return seen.definition.ascending() ? nextValue < seen.nextValue : nextValue > seen.nextValue;
    }

    /** The value that was dealt last, if there was one. */
    public long lastDealt() {
        return usedUp ? nextValue : nextValue - definition.increment();
    }

    /** How many values can still be dealt before the end or the next cycle. */
    public BigInteger valuesLeft() {
        return usedUp ? BigInteger.ZERO : unsigned(stepsLeft()).add(BigInteger.ONE);
    }

    /** The share of the range, from its beginning, that lies behind the counter: 0 … 1. */
    public double usedRatio() {
        if (usedUp) {
            return 1;
        }
        BigInteger size = unsigned(definition.max() - definition.min()).add(BigInteger.ONE);
        BigInteger behind =
                unsigned(definition.ascending() ? nextValue - definition.min() : definition.max() - nextValue);
        return behind.doubleValue() / size.doubleValue();
    }

    /** How many whole steps fit between the counter and the bound, as an unsigned number. */
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
