// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import dev.seriatim.SequenceException;
import dev.seriatim.number.NumberPattern;
import dev.seriatim.number.Transform;
import java.math.BigInteger;
import java.util.function.LongFunction;

/**
 * Converts a number to the type of its property. Immutable.
 *
 * @param place the property, for messages
 * @param bitReversed whether the number is reversed first
 * @param property converts to the property's type
 */
record Conversion(Place place, boolean bitReversed, LongFunction<Object> property) {

    /** Checks the annotation against the property's type. */
    static Conversion of(Place place, boolean bitReversed, String pattern) {
        Class<?> type = place.type();
        if (!pattern.isEmpty() && type != String.class) {
            throw new SequenceException.Misconfigured("""
                    %s: a pattern makes a String, and the property is of type %s; remove the pattern, or make the \
                    property a String""".formatted(place, type.getSimpleName()));
        }
        if (bitReversed && (type == Integer.class || type == int.class)) {
            throw new SequenceException.Misconfigured(
                    place + ": a number with its bits reversed has 63 bits and does not fit into an int; use a long");
        }
        return new Conversion(place, bitReversed, conversion(place, pattern));
    }

    private static LongFunction<Object> conversion(Place place, String pattern) {
        Class<?> type = place.type();
        if (type == Long.class || type == long.class) {
            return number -> number;
        }
        if (type == Integer.class || type == int.class) {
            return number -> fitting(place, number);
        }
        if (type == BigInteger.class) {
            return BigInteger::valueOf;
        }
        if (type != String.class) {
            throw new SequenceException.Misconfigured(place + " is of type " + type.getName()
                    + ", which no sequence fills; use long, int, BigInteger, or String with a pattern");
        }
        if (pattern.isEmpty()) {
            throw new SequenceException.Misconfigured(
                    place + " is a String and its annotation has no pattern; add one, such as pattern = \"{seq}\"");
        }
        NumberPattern format = NumberPattern.of(pattern);
        return format::format;
    }

    private static Object fitting(Place place, long number) {
        if (number != (int) number) {
            throw new SequenceException.OutOfRange(
                    number + " does not fit into the int " + place + "; make it a long, and its column a BIGINT");
        }
        return (int) number;
    }

    /** Converts a number that the sequence has dealt. */
    Object apply(String sequence, long number) {
        try {
            return property.apply(bitReversed ? Transform.bitReversed().apply(number) : number);
        } catch (SequenceException.OutOfRange e) {
            throw new SequenceException.OutOfRange(sequence, e);
        }
    }
}
