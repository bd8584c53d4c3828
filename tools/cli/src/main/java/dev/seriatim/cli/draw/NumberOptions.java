// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.SequenceException;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WholeNumber;
import dev.seriatim.number.NumberPattern;
import dev.seriatim.number.PermutationKey;
import dev.seriatim.number.Transform;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for how a number is printed. Not thread-safe. */
final class NumberOptions {

    @Option(names = "--format", paramLabel = "PATTERN", description = """
                    Write each number by a pattern, such as INV-{seq:6}.""")
    private @Nullable String pattern;

    @Option(names = "--bit-reversed", description = """
                    Reverse the low 63 bits, so that consecutive numbers are far apart.""")
    private boolean bitReversed;

    @Option(names = "--permute-key-file", paramLabel = "FILE", description = """
                    Permute the numbers of a range by the secret in this file, which has 16 bytes or more and mode 600.
                    Create one with (umask 077; head -c 32 /dev/urandom > FILE)""")
    private @Nullable Path keyFile;

    @Option(names = "--permute-range", paramLabel = "MIN..MAX", converter = RangeReader.class, description = """
                    The range to permute: the sequence's bounds when its first number was permuted. It is part of the \
                    key.""")
    private @Nullable PermutedRange range;

    /** Returns the error in the options; empty if there is none. */
    String wrong() {
        if (bitReversed && keyFile != null) {
            return """
                    --bit-reversed and --permute-key-file exclude each other: permuted numbers are spread already, and \
                    reversing them would exceed the sequence's bounds; use one of them""";
        }
        if (keyFile != null && range == null) {
            return """
                    --permute-key-file needs --permute-range MIN..MAX: the sequence's bounds when its first number was \
                    permuted; under any other range numbers would be dealt again""";
        }
        if (keyFile == null && range != null) {
            return "--permute-range goes with --permute-key-file only";
        }
        try {
            pattern();
            return "";
        } catch (SequenceException.Misconfigured e) {
            return "--format: " + e.getMessage();
        }
    }

    private @Nullable NumberPattern pattern() {
        return pattern == null ? null : NumberPattern.of(pattern);
    }

    /** Reads the key, and returns how the numbers of a sequence are printed; null without these options. */
    @Nullable
    Rendering rendering(String sequence) {
        if (keyFile != null && range != null) {
            PermutationKey key = PermutationKey.readFrom(keyFile);
            return new Rendering(sequence, Transform.permuted(key, range.min(), range.max()), pattern());
        }
        return pattern == null && !bitReversed
                ? null
                : new Rendering(sequence, bitReversed ? Transform.bitReversed() : Transform.identity(), pattern());
    }

    /** Prints numbers through a transform and a pattern. Immutable. */
    record Rendering(
            String sequence, Transform transform, @Nullable NumberPattern pattern) {

        String text(long number) {
            try {
                long shown = transform.apply(number);
                return pattern == null ? Long.toString(shown) : pattern.format(shown);
            } catch (SequenceException.OutOfRange e) {
                throw new SequenceException.OutOfRange(sequence, e);
            }
        }

        /** Returns an exception whose remedy also fits numbers that are printed this way. */
        SequenceException explained(SequenceException e) {
            return e instanceof SequenceException.Exhausted end ? transform.exhausted(sequence, end) : e;
        }
    }

    /** The range of a permutation, both ends included. Immutable. */
    private record PermutedRange(long min, long max) {}

    private static final class RangeReader implements ITypeConverter<PermutedRange> {

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
