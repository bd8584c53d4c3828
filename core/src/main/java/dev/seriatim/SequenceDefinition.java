// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.internal.Messages;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a sequence, following the terms and rules of SQL: where it starts, its step, its bounds, whether it
 * cycles, and the default number of values per block. Immutable and thread-safe.
 *
 * @param name see {@link #checkName}
 * @param start the value dealt first and after a restart; within {@code min … max}
 * @param increment the step, never 0; negative to count down
 * @param min the lowest value that may be dealt
 * @param max the highest value that may be dealt, at least {@code min}
 * @param cycle whether to wrap around to the other end after the last value
 * @param cache the default block size, at least 1
 */
public record SequenceDefinition(
        String name, long start, long increment, long min, long max, boolean cycle, long cache) {

    /** Block size of a sequence defined without one. */
    public static final long DEFAULT_CACHE = 100;

    /** Maximum length of a name, in characters (code points). */
    public static final int MAX_NAME_LENGTH = 64;

    /** Throws {@link SequenceException.Misconfigured} if a rule is violated; the message names the value and the remedy. */
    public SequenceDefinition {
        checkName(name);
        if (increment == 0) {
            throw bad(
                    name, "the increment must not be 0; use a positive one to count up, a negative one to count down");
        }
        if (min > max) {
            throw bad(name, "min value " + min + " is above max value " + max + "; swap them or widen the range");
        }
        if (start < min) {
            throw bad(name, "start " + start + " is below min value " + min + "; lower the minimum or start higher");
        }
        if (start > max) {
            throw bad(name, "start " + start + " is above max value " + max + "; raise the maximum or start lower");
        }
        if (cache < 1) {
            throw bad(name, "cache must be at least 1, not " + cache);
        }
    }

    /** Returns the definition of a sequence 1, 2, 3, … up to 2<sup>63</sup>-1, with the default block size. */
    public static SequenceDefinition of(String name) {
        return named(name).build();
    }

    /** Returns a builder whose parts have SQL's defaults. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Returns a builder initialized with this definition. */
    public Builder toBuilder() {
        return new Builder(name)
                .startWith(start)
                .incrementBy(increment)
                .minValue(min)
                .maxValue(max)
                .cycle(cycle)
                .cache(cache);
    }

    public boolean ascending() {
        return increment > 0;
    }

    /** Returns the value at which a cycle restarts: the minimum when counting up, the maximum when counting down. */
    public long origin() {
        return ascending() ? min : max;
    }

    /** Returns whether {@code value} is the last one before the end, or before the next cycle. */
    public boolean endsAt(long value) {
        if (ascending() ? value >= max : value <= min) {
            return true;
        }
        long left = ascending() ? max - value : value - min; // exact as an unsigned number
        return Long.compareUnsigned(left, ascending() ? increment : -increment) < 0;
    }

    /**
     * Returns the name if it is valid: 1 to 64 characters (Unicode code points, so an emoji counts as one), without the
     * NUL character and without unpaired surrogates. Names are compared code point by code point: case, accents,
     * whitespace and Unicode normalization form are significant.
     *
     * @throws SequenceException.Misconfigured if the name is invalid
     */
    public static String checkName(String name) {
        int length = name.codePointCount(0, name.length());
        if (length == 0) {
            throw new SequenceException.Misconfigured(name, "the name must not be empty; give it 1 to 64 characters");
        }
        if (length > MAX_NAME_LENGTH) {
            throw badName(name, "has " + length + " characters; the maximum is " + MAX_NAME_LENGTH);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0) {
                throw badName(name, "contains the NUL character, which some databases cannot store; remove it");
            }
            if (Character.isSurrogate(c) && Character.charCount(name.codePointAt(i++)) == 1) {
                throw badName(name, "contains an unpaired surrogate (half a character); remove it");
            }
        }
        return name;
    }

    private static SequenceException badName(String name, String what) {
        return new SequenceException.Misconfigured("the name " + Messages.quoted(name) + " " + what);
    }

    /** Returns the count. Throws {@link SequenceException.Misconfigured} if it is below 1. */
    public static int checkCount(String name, int count) {
        if (count < 1) {
            throw new SequenceException.Misconfigured(name, "a count must be at least 1, not " + count);
        }
        return count;
    }

    private static SequenceException.Misconfigured bad(String name, String what) {
        return new SequenceException.Misconfigured(name, what);
    }

    /**
     * Builds a definition. By default, a sequence that counts up ranges over 1 … 2<sup>63</sup>-1 and starts at its
     * minimum; one that counts down ranges over -2<sup>63</sup> … -1 and starts at its maximum. Not thread-safe.
     */
    public static final class Builder {
        private final String name;
        private @Nullable Long start;
        private @Nullable Long min;
        private @Nullable Long max;
        private long increment = 1;
        private boolean cycle;
        private long cache = DEFAULT_CACHE;

        private Builder(String name) {
            this.name = name;
        }

        /** Sets the value dealt first. */
        public Builder startWith(long value) {
            start = value;
            return this;
        }

        /** Starts at the minimum, or at the maximum when counting down. This is the default. */
        public Builder defaultStart() {
            start = null;
            return this;
        }

        public Builder incrementBy(long value) {
            increment = value;
            return this;
        }

        public Builder minValue(long value) {
            min = value;
            return this;
        }

        /** Removes the minimum. This is the default. */
        public Builder noMinValue() {
            min = null;
            return this;
        }

        public Builder maxValue(long value) {
            max = value;
            return this;
        }

        /** Removes the maximum. This is the default. */
        public Builder noMaxValue() {
            max = null;
            return this;
        }

        /** Sets whether to start over after the last value. */
        public Builder cycle(boolean value) {
            cycle = value;
            return this;
        }

        /** Sets the default block size. */
        public Builder cache(long value) {
            cache = value;
            return this;
        }

        /** Returns the definition. Throws {@link SequenceException.Misconfigured} if a rule is violated. */
        public SequenceDefinition build() {
            boolean up = increment >= 0;
            long low = min != null ? min : up ? 1 : Long.MIN_VALUE;
            long high = max != null ? max : up ? Long.MAX_VALUE : -1;
            long first = start != null ? start : up ? low : high;
            return new SequenceDefinition(name, first, increment, low, high, cycle, cache);
        }
    }
}
