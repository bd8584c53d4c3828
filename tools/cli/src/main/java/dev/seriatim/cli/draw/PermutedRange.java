// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WholeNumber;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The range of a permutation, written as {@code MIN..MAX}, including both ends. Immutable. */
record PermutedRange(long min, long max) {

    /** Reads one. */
    static final class Reader implements ITypeConverter<PermutedRange> {

        private static final Pattern ENDS = Pattern.compile("([+-]?[0-9]+)\\.\\.([+-]?[0-9]+)");

        @Override
        public PermutedRange convert(String text) {
            Matcher ends = ENDS.matcher(text);
            if (!ends.matches()) {
                throw new TypeConversionException(
                        OneLine.quoted(text) + " is not a range; write it as MIN..MAX, such as 100000..999999");
            }
            WholeNumber number = new WholeNumber();
            PermutedRange range = new PermutedRange(number.convert(ends.group(1)), number.convert(ends.group(2)));
            if (range.min() > range.max()) {
                throw new TypeConversionException(OneLine.quoted(text) + ": its ends are out of order; swap them");
            }
            return range;
        }
    }
}
