// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.SequenceCatalog;
import dev.seriatim.store.SequenceState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A sequence spread over several counters, because a single counter is one row and loads one node: value = counter ×
 * stripes + stripe. Opened with {@code StoreSequences.striped}. Unique, but <em>not</em> ordered.
 *
 * <p>The counters are ordinary sequences in the store, such as {@code orders_0_of_4} to {@code orders_3_of_4}, and do not
 * change atomically. No change to one of them can make it deal another's values. Never change the number of stripes,
 * which is part of their names: other counters would be missing, or created to deal the same values again. Immutable
 * and thread-safe.
 *
 * @param name the sequence's name, at most 64 characters including the suffix of a counter
 * @param stripes the number of counters, 1 to {@link #MAX_STRIPES}
 */
public record Striping(String name, int stripes) {

    /** Maximum number of counters of one sequence. */
    public static final int MAX_STRIPES = 256;

    /** Throws {@link SequenceException.Misconfigured} if the number is out of range, or the name too long for a suffix. */
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
                            + " characters, because the counters are named '…" + suffix(stripes - 1, stripes) + "'");
        }
    }

    /** The state of a striped sequence: the states of its counters, stripe 0 first. */
    public record State(Striping striping, List<SequenceState> counters) {

        /** Copies the list, which must have a counter for each stripe. */
        public State {
            counters = List.copyOf(counters);
            if (counters.size() != striping.stripes()) {
                throw new IllegalArgumentException(striping + " does not have " + counters.size() + " counters");
            }
        }

        /** Returns the lowest 64-bit value that the counters' bounds allow. */
        public long min() {
            return bounds(SequenceDefinition::min).min().orElseThrow();
        }

        /** Returns the highest 64-bit value that the counters' bounds allow. */
        public long max() {
            return bounds(SequenceDefinition::max).max().orElseThrow();
        }

        private LongStream bounds(ToLongFunction<SequenceDefinition> bound) {
            return IntStream.range(0, counters.size())
                    .mapToLong(stripe -> striping.clamped(
                            bound.applyAsLong(counters.get(stripe).definition()), stripe));
        }

        /** Returns how many values the counters' bounds leave. */
        public BigInteger valuesLeft() {
            return counters.stream().map(SequenceState::valuesLeft).reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    /** Returns the name of a stripe's counter. Throws {@link IndexOutOfBoundsException} unless it is from 0 to stripes - 1. */
    public String counter(int stripe) {
        if (stripe < 0 || stripe >= stripes) {
            throw new IndexOutOfBoundsException(this + " has no stripe " + stripe);
        }
        return name + suffix(stripe, stripes);
    }

    /**
     * Returns the value for a value of a stripe's counter.
     *
     * @throws SequenceException.OutOfRange if it exceeds 64 bits because the counter's bounds were altered
     */
    public long value(long counter, int stripe) {
        long product = counter * stripes;
        long value = product + stripe;
        long carry = Long.compareUnsigned(value, product) < 0 ? 1 : 0;
        if (Math.multiplyHigh(counter, (long) stripes) + carry != value >> (Long.SIZE - 1)) {
            throw new SequenceException.OutOfRange(
                    "sequence " + Messages.quoted(name) + ": " + counter + " of its counter "
                            + Messages.quoted(counter(stripe))
                            + " gives a value that exceeds 64 bits; restore that counter's bounds and increment");
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
     * Creates the counters, which together deal the values of the definition: start, start + increment, … within its
     * bounds. Completes what an earlier call left unfinished, for example because of a crash.
     *
     * <p>A store that does not hold bounds, such as a table of names and numbers, still accepts a definition with SQL's
     * default bounds, if it counts up from a start that is at least the number of stripes.
     *
     * @param definition the definition of the whole sequence; its cache applies to each counter
     * @throws SequenceException.AlreadyExists if all counters exist
     * @throws SequenceException.Misconfigured if the sequence cannot be {@linkplain #counters striped}, or if some
     *     counters exist with other definitions or have already dealt, so that others may have been removed
     */
    public void create(SequenceCatalog catalog, SequenceDefinition definition) {
        if (!new StripedCreation(this, catalog, definition).complete()) {
            throw new SequenceException.AlreadyExists(name, place(catalog));
        }
    }

    /** Returns the state of the counters. Throws {@link SequenceException.NotFound} if one is missing. */
    public State describe(SequenceCatalog catalog) {
        List<SequenceState> counters = new ArrayList<>();
        for (int stripe = 0; stripe < stripes; stripe++) {
            try {
                counters.add(catalog.describe(counter(stripe)));
            } catch (SequenceException.NotFound e) {
                throw new SequenceException.NotFound(name, place(catalog));
            }
        }
        return new State(this, counters);
    }

    /** Removes all existing counters. Throws {@link SequenceException.NotFound} if there are none. */
    public void drop(SequenceCatalog catalog) {
        boolean any = false;
        // The first counter last: after a crash, the rest looks like an unfinished creation, and either can be
        // repeated.
        for (int stripe = stripes - 1; stripe >= 0; stripe--) {
            try {
                catalog.drop(counter(stripe));
                any = true;
            } catch (SequenceException.NotFound gone) {
                // already dropped by an earlier, interrupted call
            }
        }
        if (!any) {
            throw new SequenceException.NotFound(name, place(catalog)).whenDropped();
        }
    }

    private String place(SequenceCatalog catalog) {
        return stripes + " stripes in " + catalog;
    }

    /**
     * Returns the definitions of the counters that together deal the values of a definition, stripe 0 first.
     *
     * @throws SequenceException.Misconfigured if the definition is for another sequence, cycles, has an increment that
     *     shares a factor with the number of stripes, or has fewer values than there are stripes
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
                    "a striped sequence cannot cycle, because its stripes would start over at different times; remove cycle");
        }
        if (!BigInteger.valueOf(increment).gcd(BigInteger.valueOf(stripes)).equals(BigInteger.ONE)) {
            throw bad(
                    "increment " + increment + " and " + stripes
                            + " stripes share a factor, so some stripes would have no values; choose another number of stripes");
        }
        if (SequenceState.fresh(definition, 0).valuesLeft().compareTo(BigInteger.valueOf(stripes)) < 0) {
            throw bad("it has fewer values from " + definition.start() + " on than the " + stripes
                    + " stripes; use fewer stripes or widen its bounds");
        }
        if (Math.multiplyHigh(increment, (long) stripes) != (increment * stripes) >> (Long.SIZE - 1)) {
            throw bad("increment " + increment + " times " + stripes + " stripes exceeds 64 bits; use fewer stripes");
        }
    }

    /** Returns the lowest counter whose value is at least {@code min}. */
    private long lowest(long min, int stripe) {
        return Math.floorDiv(min, stripes) + (Math.floorMod(min, stripes) > stripe ? 1 : 0);
    }

    /** Returns the highest counter whose value is at most {@code max}. */
    private long highest(long max, int stripe) {
        return Math.floorDiv(max, stripes) - (Math.floorMod(max, stripes) < stripe ? 1 : 0);
    }

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
