// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.number;

import dev.seriatim.SequenceException;
import dev.seriatim.internal.Messages;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses a pattern. Not thread-safe. */
final class PatternReader {

    private static final String FIELD = "seq";
    private static final int MAX_WIDTH = 64;
    private static final int MAX_LENGTH = 100_000;

    private final String pattern;
    private int at;

    private final Set<String> seen = new HashSet<>();
    private int width = NumberPattern.Field.ANY;
    private Radix radix = Radix.DECIMAL;
    private CheckDigits check = CheckDigits.NONE;
    private int max = Integer.MAX_VALUE;

    PatternReader(String pattern) {
        this.pattern = pattern;
    }

    NumberPattern read() {
        String before = text();
        if (at == pattern.length()) {
            throw wrong("has no {seq}; write one in the number's position");
        }
        field();
        String after = text();
        if (at < pattern.length()) {
            throw wrong("has a second field at character " + place()
                    + "; use only one {seq}, and write {{ for a brace itself");
        }
        return new NumberPattern(pattern, before, new NumberPattern.Field(width, radix, check, max), after);
    }

    /** Reads up to the next field, or the end. */
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
                throw wrong("has a '}' at character " + place() + " without a '{'; write }} for a brace itself");
            } else if (Character.isISOControl(c)) {
                throw wrong("has a control character at character " + place()
                        + "; remove it, because a number must stay on one line");
            }
            text.append(c);
            at++;
        }
        return text.toString();
    }

    private void field() {
        int end = pattern.indexOf('}', at);
        if (end < 0) {
            throw wrong("has a '{' at character " + place() + " without a '}'; write {seq}, and {{ for a brace itself");
        }
        String inside = pattern.substring(at + 1, end);
        if (!inside.equals(FIELD) && !inside.startsWith(FIELD + ":")) {
            throw wrong("has " + Messages.quoted("{" + inside + "}") + " at character " + place()
                    + "; the only field is {seq}, with options after a colon, as in {seq:6,radix=36}");
        }
        at = end + 1;
        if (!inside.equals(FIELD)) {
            for (String option : inside.substring(FIELD.length() + 1).split(",", -1)) {
                take(option.strip());
            }
        }
        if (!check.takes(radix)) {
            throw wrong("has check=" + check.word() + ", which requires radix 10; use check=mod97 with radix "
                    + radix.base());
        }
    }

    private int place() {
        return pattern.codePointCount(0, at) + 1;
    }

    private SequenceException.Misconfigured wrong(String what) {
        return new SequenceException.Misconfigured("the pattern " + Messages.quoted(pattern) + " " + what);
    }

    private void take(String option) {
        int sign = option.indexOf('=');
        String name = sign < 0 ? "width" : option.substring(0, sign);
        String value = option.substring(sign + 1);
        if (!seen.add(name)) {
            throw wrong("has a second " + name + ", " + Messages.quoted(option) + "; give it once");
        }
        switch (name) {
            case "width" -> width = number(option, value, MAX_WIDTH);
            case "max" -> max = number(option, value, MAX_LENGTH);
            case "radix" -> radix = radix(option, value);
            case "check" -> check = check(option, value);
            default -> throw unknown(option);
        }
    }

    private int number(String option, String value, int most) {
        if (!value.matches("[0-9]{1,6}")) {
            throw unknown(option);
        }
        int number = Integer.parseInt(value);
        if (number < 1 || number > most) {
            throw wrong("has " + Messages.quoted(option) + ", which must be from 1 to " + most);
        }
        return number;
    }

    private Radix radix(String option, String value) {
        return Arrays.stream(Radix.values())
                .filter(one -> String.valueOf(one.base()).equals(value))
                .findAny()
                .orElseThrow(() -> wrong("has " + Messages.quoted(option) + "; the radix must be 10, 16, 32 or 36"));
    }

    private CheckDigits check(String option, String value) {
        return Arrays.stream(CheckDigits.values())
                .filter(one -> one.word().equals(value))
                .findAny()
                .orElseThrow(() -> wrong("has " + Messages.quoted(option) + "; the check must be one of "
                        + Arrays.stream(CheckDigits.values())
                                .map(CheckDigits::word)
                                .collect(Collectors.joining(", "))));
    }

    private SequenceException.Misconfigured unknown(String option) {
        return wrong("has " + Messages.quoted(option)
                + ", which is not an option; use a number of digits, radix=, check= or max=, as in {seq:6,radix=36}");
    }
}
