// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;

/**
 * Formats numbers as text and parses them: {@code INV-{seq:6}} writes 42 as {@code INV-000042}.
 *
 * <p>A pattern is text around one field in braces; <code>&#123;&#123;</code> and <code>&#125;&#125;</code> stand for
 * the braces themselves. The field is {@code {seq}}, optionally with comma-separated options after a colon, each at
 * most once:
 *
 * <table>
 *   <caption>Options</caption>
 *   <tr><td>{@code 6}</td><td>exact number of digits, 1 to 64, with leading zeros. By default, as many as the number has</td></tr>
 *   <tr><td>{@code radix=36}</td><td>10 (the default), 16, 32 (Crockford's alphabet, without I, L, O and U) or 36, in capitals</td></tr>
 *   <tr><td>{@code check=luhn}</td><td>one check digit after the digits, by the Luhn algorithm (ISO/IEC 7812-1); radix 10</td></tr>
 *   <tr><td>{@code check=damm}</td><td>the same by the Damm algorithm, which detects every wrong digit and every swap of neighbours; radix
 *       10</td></tr>
 *   <tr><td>{@code check=mod97}</td><td>two check digits by ISO 7064 mod 97-10, as in an LEI, with letters as 10 … 35; any
 *       radix</td></tr>
 *   <tr><td>{@code max=12}</td><td>maximum length of the whole text, in characters</td></tr>
 * </table>
 *
 * <p>Check digits cover the number's digits, not the surrounding text. Parsing accepts exactly what formatting
 * produces, and also lower-case digits; in radix 32 also O for 0, and I and L for 1.
 *
 * <p>Immutable and thread-safe. Patterns with the same text are equal.
 */
public final class NumberPattern {

    private final String pattern;
    private final Field field;
    private final String before;
    private final String after;

    NumberPattern(String pattern, String before, Field field, String after) {
        this.pattern = pattern;
        this.before = before;
        this.field = field;
        this.after = after;
        int around = length(before) + length(after);
        if (around + field.shortest() > field.max()) {
            throw new SequenceException.Misconfigured("the pattern " + this + " produces texts of at least "
                    + (around + field.shortest()) + " characters, which is more than its max=" + field.max()
                    + "; shorten it or raise the maximum");
        }
    }

    /** Parses a pattern. Throws {@link SequenceException.Misconfigured}, which says what was expected where, if it is invalid. */
    public static NumberPattern of(String pattern) {
        return new PatternReader(pattern).read();
    }

    /**
     * Formats a number as text.
     *
     * @throws SequenceException.OutOfRange if the number is negative, has more digits than the pattern allows, or makes
     *     the text longer than its maximum
     */
    public String format(long number) {
        if (number < 0) {
            throw new SequenceException.OutOfRange(number + " is negative, and the pattern " + this
                    + " accepts numbers from 0; give the sequence a min value of 0 or more");
        }
        String digits = field.radix().digits(number);
        if (field.width() != Field.ANY && digits.length() > field.width()) {
            throw new SequenceException.OutOfRange(number + " has " + digits.length() + " digits, and the pattern "
                    + this + " allows " + field.width() + "; use a wider pattern from this number on");
        }
        String padded = "0".repeat(Math.max(0, field.width() - digits.length())) + digits;
        String text = before + padded + field.check().of(padded) + after;
        if (length(text) > field.max()) {
            throw new SequenceException.OutOfRange(
                    number + " gives a text of " + length(text) + " characters, and the pattern " + this + " has max="
                            + field.max() + "; use a longer maximum from this number on");
        }
        return text;
    }

    /**
     * Parses a number: the inverse of {@link #format}.
     *
     * @throws SequenceException.Malformed if the text does not match the pattern; the message says what was expected
     *     and where
     */
    public long parse(String text) {
        return new Parser(text).number();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberPattern same && pattern.equals(same.pattern);
    }

    @Override
    public int hashCode() {
        return pattern.hashCode();
    }

    /** Returns the pattern's text, in quotes. */
    @Override
    public String toString() {
        return Messages.quoted(pattern);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    /** The field for the number: exactly {@code width} digits, or {@link #ANY}, in a text of at most {@code max} characters. */
    record Field(int width, Radix radix, CheckDigits check, int max) {

        static final int ANY = 0;

        int shortest() {
            return Math.max(1, width) + check.length();
        }
    }

    private final class Parser {
        private final String text;

        Parser(String text) {
            this.text = text;
        }

        long number() {
            if (!text.startsWith(before)) {
                throw malformed("it must start with " + Messages.quoted(before));
            }
            if (!text.endsWith(after) || text.length() < before.length() + after.length()) {
                throw malformed("it must end with " + Messages.quoted(after));
            }
            if (length(text) > field.max()) {
                throw malformed("it is longer than " + field.max() + " characters");
            }
            String all = plain(before.length(), text.length() - after.length());
            int count = countOfDigits(before.length(), all.length());
            String digits = all.substring(0, count);
            checkCheckDigits(digits, all.substring(count));
            return value(digits);
        }

        private String plain(int from, int to) {
            StringBuilder plain = new StringBuilder(to - from);
            for (int i = from; i < to; i++) {
                char digit = field.radix().plain(text.charAt(i));
                if (field.radix().value(digit) < 0) {
                    throw malformed("character " + (text.codePointCount(0, i) + 1) + " must be a digit of radix "
                            + field.radix().base() + ", not "
                            + Messages.quoted(Character.toString(text.codePointAt(i))));
                }
                plain.append(digit);
            }
            return plain.toString();
        }

        /** Returns the number of digits that are not check digits. */
        private int countOfDigits(int from, int found) {
            int count = found - field.check().length();
            boolean any = field.width() == Field.ANY;
            if (any ? count < 1 : count != field.width()) {
                String checks = field.check() == CheckDigits.NONE
                        ? ""
                        : " and " + field.check().length() + " of the check";
                throw malformed("from character " + (text.codePointCount(0, from) + 1) + " on, it must have "
                        + (any ? "at least 1" : field.width()) + " digits of the number" + checks + ", not " + found
                        + " in all");
            }
            if (any && count > 1 && field.radix().plain(text.charAt(from)) == '0') {
                throw malformed("the number must not have leading zeros");
            }
            return count;
        }

        private void checkCheckDigits(String digits, String found) {
            String expected = field.check().of(digits);
            if (!expected.equals(found)) {
                throw malformed("the check digits of " + digits + " by "
                        + field.check() + " are " + expected + ", not " + found
                        + "; correct the mistyped character");
            }
        }

        private long value(String digits) {
            long value = 0;
            for (int i = 0; i < digits.length(); i++) {
                int digit = field.radix().value(digits.charAt(i));
                if (value > (Long.MAX_VALUE - digit) / field.radix().base()) {
                    throw malformed("the number must be at most " + Long.MAX_VALUE);
                }
                value = value * field.radix().base() + digit;
            }
            return value;
        }

        private SequenceException.Malformed malformed(String why) {
            return new SequenceException.Malformed(
                    Messages.quoted(text) + " is not a number of the pattern " + NumberPattern.this + ": " + why);
        }
    }
}
