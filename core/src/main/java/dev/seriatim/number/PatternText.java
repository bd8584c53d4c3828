// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.util.Locale;

/** Parses a text by a pattern. Error messages describe what was expected. */
final class PatternText {

    private final String text;
    private final NumberPattern pattern;

    PatternText(String text, NumberPattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    long number(NumberField field, String before, String after) {
        if (!text.startsWith(before)) {
            throw malformed("it must start with " + Messages.quoted(before));
        }
        if (!text.endsWith(after) || text.length() < before.length() + after.length()) {
            throw malformed("it must end with " + Messages.quoted(after));
        }
        if (text.codePointCount(0, text.length()) > field.max()) {
            throw malformed("it is longer than " + field.max() + " characters");
        }
        String all = plain(field.radix(), before.length(), text.length() - after.length());
        int digits = digits(field, before.length(), all.length());
        checkDigits(field.check(), all.substring(0, digits), all.substring(digits));
        return value(field.radix(), all.substring(0, digits));
    }

    private String plain(Radix radix, int from, int to) {
        StringBuilder plain = new StringBuilder(to - from);
        for (int i = from; i < to; i++) {
            char digit = radix.plain(text.charAt(i));
            if (radix.value(digit) < 0) {
                throw malformed("character " + (text.codePointCount(0, i) + 1) + " must be a digit of radix "
                        + radix.base() + ", not " + Messages.quoted(Character.toString(text.codePointAt(i))));
            }
            plain.append(digit);
        }
        return plain.toString();
    }

    /** Returns how many of them are the number's. */
    private int digits(NumberField field, int from, int found) {
        int digits = found - field.check().length();
        String checks =
                field.check() == CheckDigits.NONE ? "" : " and " + field.check().length() + " of the check";
        if (field.width() == NumberField.ANY ? digits < 1 : digits != field.width()) {
            throw malformed("from character " + (text.codePointCount(0, from) + 1) + " on, it must have "
                    + (field.width() == NumberField.ANY ? "at least 1" : field.width()) + " digits of the number"
                    + checks
                    + ", not " + found + " in all");
        }
        if (field.width() == NumberField.ANY && digits > 1 && field.radix().plain(text.charAt(from)) == '0') {
            throw malformed("the number must not have leading zeros");
        }
        return digits;
    }

    private void checkDigits(CheckDigits check, String digits, String found) {
        String expected = check.of(digits);
        if (!expected.equals(found)) {
            throw malformed(
                    "the check digits of " + digits + " by " + check.word().toUpperCase(Locale.ROOT) + " are "
                            + expected + ", not " + found + "; correct the mistyped character");
        }
    }

    private long value(Radix radix, String digits) {
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = radix.value(digits.charAt(i));
            if (value > (Long.MAX_VALUE - digit) / radix.base()) {
                throw malformed("the number must be at most " + Long.MAX_VALUE);
            }
            value = value * radix.base() + digit;
        }
        return value;
    }

    private SequenceException.Malformed malformed(String why) {
        return new SequenceException.Malformed(
                Messages.quoted(text) + " is not a number of the pattern " + pattern + ": " + why);
    }
}
