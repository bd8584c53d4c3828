// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import dev.seriatim.text.Messages;
import java.math.BigInteger;
import java.util.List;

/**
 * A sequence that is spread over several counters, since one counter is one row, and one node's load: value = counter × stripes +
 * stripe. Opened with {@link StoreSequences#striped}. Unique; <em>not</em> ordered.
 *
 * <p>The counters are ordinary sequences in the store, such as {@code orders_0_of_4} to {@code orders_3_of_4}. Whatever is done to
 * one of them, its values are no other's. Their names hold the number of stripes, so that opened with another number of stripes a
 * sequence is not found, where it would deal the same values again.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name the sequence, 1 to 64 characters together with what is added for a counter
 * @param stripes how many counters, 1 to {@link #MAX_STRIPES}
 */
public record Striping(String name, int stripes) {

    /** The most counters of one sequence. */
    public static final int MAX_STRIPES = 256;

    /**
     * Checks number and name.
     *
     * @throws SequenceException.Misconfigured when there are too many stripes or too few, or the name leaves no room for them
     */
    public Striping {
        SequenceDefinition.checkName(name);
        if (stripes < 1 || stripes > MAX_STRIPES) {
            throw new SequenceException.Misconfigured(
                    name, "it can have 1 to " + MAX_STRIPES + " stripes, not " + stripes);
        }
        int added = suffix(stripes - 1, stripes).length();
        if (name.codePointCount(0, name.length()) + added > SequenceDefinition.MAX_NAME_LENGTH) {
            throw new SequenceException.Misconfigured(
                    name,
                    "with " + stripes + " stripes a name has at most " + (SequenceDefinition.MAX_NAME_LENGTH - added)
                            + " characters, since the counters are named '…" + suffix(stripes - 1, stripes) + "'");
        }
    }

    /** A striped sequence as it stands: its counters, stripe 0 first. */
    public record State(Striping striping, List<SequenceState> counters) {

        /** Copies the list, which must have a counter for each stripe. */
        public State {
            counters = List.copyOf(counters);
            if (counters.size() != striping.stripes()) {
                throw new IllegalArgumentException(striping + " has not " + counters.size() + " counters");
            }
        }

        /** The lowest value of 64 bits that its counters' bounds allow. */
        public long min() {
            long min = Long.MAX_VALUE;
            for (int stripe = 0; stripe < counters.size(); stripe++) {
                min = Math.min(
                        min, striping.clamped(counters.get(stripe).definition().min(), stripe));
            }
            return min;
        }

        /** The highest value of 64 bits that its counters' bounds allow. */
        public long max() {
            long max = Long.MIN_VALUE;
            for (int stripe = 0; stripe < counters.size(); stripe++) {
                max = Math.max(
                        max, striping.clamped(counters.get(stripe).definition().max(), stripe));
            }
            return max;
        }

        /** How many values its counters' bounds leave. */
        public BigInteger valuesLeft() {
            return counters.stream().map(SequenceState::valuesLeft).reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    /**
     * The name of a stripe's counter.
     *
     * @param stripe 0 … stripes - 1
     * @throws IndexOutOfBoundsException when there is no such stripe
     */
    public String counter(int stripe) {
        if (stripe < 0 || stripe >= stripes) {
            throw new IndexOutOfBoundsException(this + " has no stripe " + stripe);
        }
        return name + suffix(stripe, stripes);
    }

    /**
     * What a stripe's counter stands for.
     *
     * @param stripe 0 … stripes - 1
     * @throws SequenceException.OutOfRange when it is beyond 64 bits, since the counter's bounds were altered
     */
    public long value(long counter, int stripe) {
        long product = counter * stripes;
        long value = product + stripe;
        long carry = Long.compareUnsigned(value, product) < 0 ? 1 : 0;
        if (Math.multiplyHigh(counter, (long) stripes) + carry != value >> (Long.SIZE - 1)) {
            throw new SequenceException.OutOfRange(
                    "sequence " + Messages.quoted(name) + ": " + counter + " of its counter "
                            + Messages.quoted(counter(stripe))
                            + " makes a value beyond 64 bits; alter that counter's bounds and increment back");
        }
        return value;
    }

    private long clamped(long counter, int stripe) {
        try {
            return value(counter, stripe);
        } catch (SequenceException.OutOfRange e) {
            return counter < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /**
     * Makes the counters, which together deal what the definition says: start, start + increment, … inside its bounds. What an
     * earlier call left unfinished, as in a crash, is completed.
     *
     * <p>A store that holds no bounds, such as a table of names and numbers, takes a definition with SQL's default bounds all the
     * same, from a start that is at least the number of stripes when counting up.
     *
     * @param definition of the sequence as a whole; its cache is each counter's
     * @throws SequenceException.AlreadyExists when there are all counters
     * @throws SequenceException.Misconfigured when it cannot be {@linkplain #counters striped}, or some counters are there which
     *     have other definitions or have dealt already, so that others may have been removed
     */
    public void create(SequenceCatalog catalog, SequenceDefinition definition) {
        new StripedCatalog(this, catalog).create(definition);
    }

    /**
     * How the counters stand.
     *
     * @throws SequenceException.NotFound when one of them is missing
     */
    public State describe(SequenceCatalog catalog) {
        return new State(this, new StripedCatalog(this, catalog).describe());
    }

    /**
     * Removes the counters, or those that are there.
     *
     * @throws SequenceException.NotFound when there are none
     */
    public void drop(SequenceCatalog catalog) {
        new StripedCatalog(this, catalog).drop();
    }

    /**
     * What the counters are that together deal what a definition says, stripe 0 first.
     *
     * @throws SequenceException.Misconfigured when the definition is another sequence's, cycles, shares a factor between increment
     *     and stripes, or has fewer values than there are stripes
     */
    public List<SequenceDefinition> counters(SequenceDefinition definition) {
        checkStripable(definition);
        SequenceDefinition[] counters = new SequenceDefinition[stripes];
        for (long first : new Block(definition.start(), stripes, definition.increment())) { // one for each stripe
            int stripe = Math.floorMod(first, stripes);
            counters[stripe] = SequenceDefinition.named(counter(stripe))
                    .startWith(Math.floorDiv(first, stripes))
                    .incrementBy(definition.increment())
                    .minValue(lowest(definition.min(), stripe))
                    .maxValue(highest(definition.max(), stripe))
                    .cache(definition.cache())
                    .build();
        }
        return List.of(counters);
    }

    private void checkStripable(SequenceDefinition definition) {
        long increment = definition.increment();
        if (!definition.name().equals(name)) {
            throw bad("its definition is that of " + Messages.quoted(definition.name()));
        }
        if (definition.cycle()) {
            throw bad(
                    "a striped sequence cannot cycle, since its stripes would start over at different times; leave cycle out");
        }
        if (!BigInteger.valueOf(increment).gcd(BigInteger.valueOf(stripes)).equals(BigInteger.ONE)) {
            throw bad(
                    "increment " + increment + " and " + stripes
                            + " stripes share a factor, so that some stripes would have no values; choose another number of stripes");
        }
        if (SequenceState.fresh(definition, 0).valuesLeft().compareTo(BigInteger.valueOf(stripes)) < 0) {
            throw bad("from " + definition.start() + " on it has fewer values than " + stripes
                    + " stripes; take fewer stripes or widen its bounds");
        }
        if (Math.multiplyHigh(increment, (long) stripes) != (increment * stripes) >> (Long.SIZE - 1)) {
            throw bad(
                    "increment " + increment + " times " + stripes + " stripes is beyond 64 bits; take fewer stripes");
        }
    }

    /** The lowest counter whose value is not below {@code min}. */
    private long lowest(long min, int stripe) {
        return Math.floorDiv(min, stripes) + (Math.floorMod(min, stripes) > stripe ? 1 : 0);
    }

    /** The highest counter whose value is not above {@code max}. */
    private long highest(long max, int stripe) {
        return Math.floorDiv(max, stripes) - (Math.floorMod(max, stripes) < stripe ? 1 : 0);
    }

    /** What a caller is told when every counter is exhausted. */
    SequenceException.Exhausted exhausted() {
        return new SequenceException.Exhausted(
                name,
                "the last value of each of its " + stripes
                        + " stripes has been dealt; alter the bounds of its counters " + counter(0)
                        + ", … or restart them",
                null);
    }

    private SequenceException bad(String what) {
        return new SequenceException.Misconfigured(name, what);
    }

    private static String suffix(int stripe, int stripes) {
        return "_" + stripe + "_of_" + stripes;
    }
}
