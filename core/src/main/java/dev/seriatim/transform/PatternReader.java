// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.transform;

import dev.seriatim.SequenceException;
import dev.seriatim.text.Messages;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads a pattern from its first character to its last. Not thread-safe. */
final class PatternReader {

    private static final String FIELD = "seq";
    private static final int MAX_WIDTH = 64;
    private static final int MAX_LENGTH = 100_000;

    private final String pattern;
    private int at;

    PatternReader(String pattern) {
        this.pattern = pattern;
    }

    NumberPattern read() {
        String before = text();
        if (at == pattern.length()) {
            throw wrong("has no {seq}; write one where the number goes");
        }
        NumberField field = field();
        String after = text();
        if (at < pattern.length()) {
            throw wrong("has a second field at character " + place()
                    + "; one {seq} is all, and a brace itself is written {{");
        }
        return new NumberPattern(pattern, before, field, after);
    }

    /** Up to the next field, or the end. */
    private String text() {
        StringBuilder text = new StringBuilder();
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            boolean brace = c == '{' || c == '}';
            if (brace && at + 1 < pattern.length() && pattern.charAt(at + 1) == c) {
                at++;
            } else if (c == '{') {
                break;
            } else if (c == '}') {
                throw wrong("has a '}' at character " + place() + " that closes nothing; a brace itself is written }}");
            } else if (Character.isISOControl(c)) {
                throw wrong("has a control character at character " + place() + "; a number has to stay on its line");
            }
            text.append(c);
            at++;
        }
        return text.toString();
    }

    private NumberField field() {
        int end = pattern.indexOf('}', at);
        if (end < 0) {
            throw wrong("has a '{' at character " + place()
                    + " that is not closed; write {seq}, and {{ for a brace itself");
        }
        String inside = pattern.substring(at + 1, end);
        if (!inside.equals(FIELD) && !inside.startsWith(FIELD + ":")) {
            throw wrong("has " + Messages.quoted("{" + inside + "}") + " at character " + place()
                    + ", where {seq} is the only field, and options follow a colon, as in {seq:6,radix=36}");
        }
        at = end + 1;
        return inside.equals(FIELD) ? new Options().field() : options(inside.substring(FIELD.length() + 1));
    }

    private NumberField options(String list) {
        Options options = new Options();
        for (String option : list.split(",", -1)) {
            options.take(option.strip());
        }
        return options.field();
    }

    private int place() {
        return pattern.codePointCount(0, at) + 1;
    }

    private SequenceException.Misconfigured wrong(String what) {
        return new SequenceException.Misconfigured("the pattern " + Messages.quoted(pattern) + " " + what);
    }

    /** What stands after the colon. */
    private final class Options {

        private final Set<String> seen = new HashSet<>();
        private int width = NumberField.ANY;
        private Radix radix = Radix.DECIMAL;
        private CheckDigits check = CheckDigits.NONE;
        private int max = Integer.MAX_VALUE;

        void take(String option) {
            int sign = option.indexOf('=');
            String name = sign < 0 ? "width" : option.substring(0, sign);
            String value = option.substring(sign + 1);
            if (!seen.add(name)) {
                throw wrong("says " + Messages.quoted(option) + " after it has said its " + name + "; say it once");
            }
            switch (name) {
                case "width" -> width = number(option, value, MAX_WIDTH);
                case "max" -> max = number(option, value, MAX_LENGTH);
                case "radix" -> radix = radix(option, value);
                case "check" -> check = check(option, value);
                default -> throw unknown(option);
            }
        }

        NumberField field() {
            if (!check.takes(radix)) {
                throw wrong("has check=" + check.word() + ", which takes radix 10 only; use check=mod97 with radix "
                        + radix.base());
            }
            return new NumberField(width, radix, check, max);
        }

        private int number(String option, String value, int most) {
            if (!value.matches("[0-9]{1,6}")) {
                throw unknown(option);
            }
            int number = Integer.parseInt(value);
            if (number < 1 || number > most) {
                throw wrong("says " + Messages.quoted(option) + ", which must be from 1 to " + most);
            }
            return number;
        }

        private Radix radix(String option, String value) {
            return Arrays.stream(Radix.values())
                    .filter(one -> String.valueOf(one.base()).equals(value))
                    .findAny()
                    .orElseThrow(() -> wrong("says " + Messages.quoted(option) + "; a radix is 10, 16, 32 or 36"));
        }

        private CheckDigits check(String option, String value) {
            return Arrays.stream(CheckDigits.values())
                    .filter(one -> one.word().equals(value))
                    .findAny()
                    .orElseThrow(() -> wrong("says " + Messages.quoted(option) + "; a check is one of "
                            + Arrays.stream(CheckDigits.values())
                                    .map(CheckDigits::word)
                                    .collect(Collectors.joining(", "))));
        }

        private SequenceException.Misconfigured unknown(String option) {
            return wrong(
                    "says " + Messages.quoted(option)
                            + ", which is no option; they are the count of digits, radix=, check= and max=, as in {seq:6,radix=36}");
        }
    }
}
