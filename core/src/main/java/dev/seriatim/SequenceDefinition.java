// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.text.Messages;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence is, in SQL's words and by SQL's rules: where it starts, its step, its bounds, whether it cycles, and
 * how many values a block holds when nobody says otherwise.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name see {@link #checkName}
 * @param start the value dealt first, and the one a restart goes back to; inside {@code min … max}
 * @param increment the step, never 0; negative counts down
 * @param min the lowest value ever dealt
 * @param max the highest value ever dealt, at least {@code min}
 * @param cycle whether it starts over at the other end when the last value has been dealt
 * @param cache the default block size, at least 1
 */
public record SequenceDefinition(
        String name, long start, long increment, long min, long max, boolean cycle, long cache) {

    /** The block size of a sequence that was defined without one. */
    public static final long DEFAULT_CACHE = 100;

    /** The longest name, in characters (code points). */
    public static final int MAX_NAME_LENGTH = 64;

    /**
     * Checks the rules.
     *
     * @throws SequenceException.Misconfigured when a rule is broken; the message names the value and the remedy
     */
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

    /** A sequence 1, 2, 3, … up to 2<sup>63</sup>-1, with the default block size. */
    public static SequenceDefinition of(String name) {
        return named(name).build();
    }

    /** Starts a definition; what is left out takes SQL's defaults. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** A builder that holds every part of this definition. */
    public Builder toBuilder() {
        return new Builder(name)
                .startWith(start)
                .incrementBy(increment)
                .minValue(min)
                .maxValue(max)
                .cycle(cycle)
                .cache(cache);
    }

    /** Whether it counts up. */
    public boolean ascending() {
        return increment > 0;
    }

    /** The value at which a cycle begins anew: the minimum when counting up, the maximum when counting down. */
    public long origin() {
        return ascending() ? min : max;
    }

    /** Whether no value follows this one before the end, or before the next round of a cycle. */
    public boolean endsAt(long value) {
        if (ascending() ? value >= max : value <= min) {
            return true;
        }
        long left = ascending() ? max - value : value - min; // as an unsigned number, exact
        return Long.compareUnsigned(left, ascending() ? increment : -increment) < 0;
    }

    /**
     * Returns the name if it is valid: any text of 1 to 64 characters (Unicode code points, so an emoji counts as one),
     * without the character NUL and without unpaired surrogates. Names are compared code point by code point: case, accents
     * and blanks make a difference, and so does the Unicode normalization form.
     *
     * @throws SequenceException.Misconfigured if it is not valid
     */
    public static String checkName(String name) {
        int length = name.codePointCount(0, name.length());
        if (length == 0) {
            throw new SequenceException.Misconfigured(
                    "the name of a sequence must not be empty; give it 1 to 64 characters");
        }
        if (length > MAX_NAME_LENGTH) {
            throw new SequenceException.Misconfigured("the name " + Messages.quoted(name) + " has " + length
                    + " characters; a sequence's name has at most " + MAX_NAME_LENGTH);
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0) {
                throw new SequenceException.Misconfigured("the name " + Messages.quoted(name)
                        + " has the character NUL in it, which not every database can hold; remove it");
            }
            if (Character.isSurrogate(c) && Character.charCount(name.codePointAt(i++)) == 1) {
                throw new SequenceException.Misconfigured("the name " + Messages.quoted(name)
                        + " has half a character in it (an unpaired surrogate); remove it");
            }
        }
        return name;
    }

    private static SequenceException.Misconfigured bad(String name, String what) {
        return new SequenceException.Misconfigured(name, what);
    }

    /**
     * Collects the parts of a definition. Counting up, the range is 1 … 2<sup>63</sup>-1 and the start its minimum;
     * counting down, it is -2<sup>63</sup> … -1 and the start its maximum. Not thread-safe.
     */
    public static final class Builder {
        private final String name;
        private OptionalLong start = OptionalLong.empty();
        private OptionalLong min = OptionalLong.empty();
        private OptionalLong max = OptionalLong.empty();
        private long increment = 1;
        private boolean cycle;
        private long cache = DEFAULT_CACHE;

        private Builder(String name) {
            this.name = name;
        }

        /** The value dealt first; null for the default. */
        public Builder startWith(@Nullable Long value) {
            start = optional(value);
            return this;
        }

        /** The step. */
        public Builder incrementBy(long value) {
            increment = value;
            return this;
        }

        /** The lowest value; null for the default. */
        public Builder minValue(@Nullable Long value) {
            min = optional(value);
            return this;
        }

        /** The highest value; null for the default. */
        public Builder maxValue(@Nullable Long value) {
            max = optional(value);
            return this;
        }

        /** Whether to start over after the last value. */
        public Builder cycle(boolean value) {
            cycle = value;
            return this;
        }

        /** The default block size. */
        public Builder cache(long value) {
            cache = value;
            return this;
        }

        /**
         * The definition.
         *
         * @throws SequenceException.Misconfigured when a rule is broken
         */
        public SequenceDefinition build() {
            boolean up = increment >= 0;
            long low = min.orElse(up ? 1 : Long.MIN_VALUE);
            long high = max.orElse(up ? Long.MAX_VALUE : -1);
            return new SequenceDefinition(name, start.orElse(up ? low : high), increment, low, high, cycle, cache);
        }

        private static OptionalLong optional(@Nullable Long value) {
            return value == null ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }
}
