// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a 64-bit number; its message says whether the text is not a number or too large. */
public final class WholeNumber implements ITypeConverter<Long> {

    private static final Pattern DIGITS = Pattern.compile("[+-]?[0-9]+");

    @Override
    public Long convert(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    DIGITS.matcher(text).matches()
                            ? "'" + text + "' does not fit into 64 bits; write a number from " + Long.MIN_VALUE + " to "
                                    + Long.MAX_VALUE
                            : "'" + text + "' is not a whole number; write digits only, such as 1000");
        }
    }

    public static int small(String text) {
        long number = new WholeNumber().convert(text);
        if (number != (int) number) {
            throw new TypeConversionException("must be at most " + Integer.MAX_VALUE + ", not " + number);
        }
        return (int) number;
    }

    public static final class Positive implements ITypeConverter<Long> {

        @Override
        public Long convert(String text) {
            Long number = new WholeNumber().convert(text);
            if (number < 1) {
                throw new TypeConversionException("must be at least 1, not " + number);
            }
            return number;
        }
    }
}
