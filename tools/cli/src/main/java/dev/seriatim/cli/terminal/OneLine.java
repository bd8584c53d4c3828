// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import dev.seriatim.store.StoreUrl;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.function.IntPredicate;

/** Text that stays on its line and keeps its secrets. */
public final class OneLine {

    /** Maximum length of a line. The middle is cut, since the remedy is at the end. */
    private static final int LONGEST = 2000;

    private static final int END = 500;

    private OneLine() {}

    /**
     * Returns whether a character ends a line, controls a terminal, or changes the direction in which text is shown: a line that
     * holds one does not read as it runs.
     */
    public static boolean isHidden(int character) {
        return Character.isISOControl(character)
                || character == 0x061c
                || character == 0x200e
                || character == 0x200f
                || (character >= 0x2028 && character <= 0x202e)
                || (character >= 0x2066 && character <= 0x2069);
    }

    /** Returns the text with control characters, line ends and marks of direction escaped. */
    public static String of(String text) {
        return escaped(text, OneLine::isHidden);
    }

    static String escaped(String text, IntPredicate hidden) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (hidden.test(c)) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static String cut(String text) {
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST - END) + " … (" + text.length() + " characters) … "
                        + text.substring(text.length() - END);
    }

    public static String quoted(String name) {
        return "'" + of(name) + "'";
    }

    /** Returns why a file cannot be read or written. */
    public static String why(IOException e) {
        return e instanceof NoSuchFileException
                ? "there is no such file"
                : e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }

    /** Returns a message with its lines joined, and without the passwords of URLs. */
    public static String message(String text) {
        return of(StoreUrl.redact(cut(text.strip()).replaceAll("\\s*\\R\\s*", " ")));
    }
}
