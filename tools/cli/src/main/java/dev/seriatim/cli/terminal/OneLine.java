// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.terminal;

import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.store.StoreUrl;

/** Text that stays on its line and keeps its secrets. */
public final class OneLine {

    /** Maximum length of a line. The middle is cut, since the remedy is at the end. */
    private static final int LONGEST = 2000;

    private static final int END = 500;

    private OneLine() {}

    /** Returns the text with control characters, line ends and marks of direction escaped. */
    public static String of(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (Remedy.isHidden(c)) {
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

    /** Returns a name in quotes. */
    public static String quoted(String name) {
        return "'" + of(name) + "'";
    }

    /** Returns a message with its lines joined, and without the passwords of URLs. */
    public static String message(String text) {
        return of(StoreUrl.redact(cut(text.strip()).replaceAll("\\s*\\R\\s*", " ")));
    }
}
