// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.SequenceException;
import dev.seriatim.text.Messages;

/**
 * How a number is written as text, and read back: {@code INV-{seq:6}} writes 42 as {@code INV-000042}.
 *
 * <p>A pattern is text around one field in braces; <code>&#123;&#123;</code> and <code>&#125;&#125;</code> are the braces
 * themselves. The field is {@code {seq}}, or has options after a colon, with commas between them, each at most once:
 *
 * <table>
 *   <caption>Options</caption>
 *   <tr><td>{@code 6}</td><td>exactly so many digits, with zeros in front; 1 to 64. Without it, as many as the number has</td></tr>
 *   <tr><td>{@code radix=36}</td><td>10 (the default), 16, 32 (Crockford's alphabet, without I, L, O and U) or 36, in capitals</td></tr>
 *   <tr><td>{@code check=luhn}</td><td>one check digit behind the digits, by Luhn's rule (ISO/IEC 7812-1); radix 10</td></tr>
 *   <tr><td>{@code check=damm}</td><td>the same by Damm's, which finds every wrong digit and every swap of neighbours; radix
 *       10</td></tr>
 *   <tr><td>{@code check=mod97}</td><td>two check digits by ISO 7064 mod 97-10, as an LEI has them, with letters as 10 … 35; any
 *       radix</td></tr>
 *   <tr><td>{@code max=12}</td><td>the longest text, in characters, with everything around the number</td></tr>
 * </table>
 *
 * <p>Check digits are those of the number's digits, not of the text around it. Reading takes exactly what writing makes, and small
 * letters for capitals among the digits; in radix 32 also O for 0, and I and L for 1.
 *
 * <p>Immutable and thread-safe; equal when written alike.
 */
public final class NumberPattern {

    private final String pattern;
    private final NumberField field;
    private final String before;
    private final String after;

    NumberPattern(String pattern, String before, NumberField field, String after) {
        this.pattern = pattern;
        this.before = before;
        this.field = field;
        this.after = after;
        int around = length(before) + length(after);
        if (around + field.shortest() > field.max()) {
            throw new SequenceException.Misconfigured("the pattern " + this + " makes texts of at least "
                    + (around + field.shortest()) + " characters, which is more than its max=" + field.max()
                    + "; shorten it or raise the maximum");
        }
    }

    /**
     * The pattern that is written so.
     *
     * @throws SequenceException.Misconfigured when it is not one; the message says what was expected where
     */
    public static NumberPattern of(String pattern) {
        return new PatternReader(pattern).read();
    }

    /**
     * The number as text.
     *
     * @throws SequenceException.OutOfRange when the number is negative, has more digits than the pattern has room for, or makes
     *     the text longer than its maximum
     */
    public String format(long number) {
        if (number < 0) {
            throw new SequenceException.OutOfRange(number + " is negative, and the pattern " + this
                    + " writes numbers from 0 up; give the sequence a min value of 0 or more");
        }
        String digits = field.radix().digits(number);
        if (field.width() != NumberField.ANY && digits.length() > field.width()) {
            throw new SequenceException.OutOfRange(number + " has " + digits.length() + " digits, and the pattern "
                    + this + " has room for " + field.width() + "; use a wider pattern for numbers from here on");
        }
        String padded = "0".repeat(Math.max(0, field.width() - digits.length())) + digits;
        String text = before + padded + field.check().of(padded) + after;
        if (length(text) > field.max()) {
            throw new SequenceException.OutOfRange(
                    number + " makes a text of " + length(text) + " characters, and the pattern " + this + " has max="
                            + field.max() + "; use a longer one for numbers from here on");
        }
        return text;
    }

    /**
     * The number that is written so: the inverse of {@link #format}.
     *
     * @throws SequenceException.Malformed when no number is written so; the message says what was expected where
     */
    public long parse(String text) {
        PatternText read = new PatternText(text, this);
        return read.number(field, before, after);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberPattern same && pattern.equals(same.pattern);
    }

    @Override
    public int hashCode() {
        return pattern.hashCode();
    }

    /** The pattern as it is written, in quotes. */
    @Override
    public String toString() {
        return Messages.quoted(pattern);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
