// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.text;

/** The text of error messages: one line each, without secrets, no longer than a reader wants. */
public final class Messages {

    /** What a message shows at most, in characters; what it quotes may be of any length. */
    private static final int LONGEST_MESSAGE = 1500;

    private static final int END_OF_MESSAGE = 500;
    private static final int LONGEST_QUOTE = 200;

    private Messages() {}

    /** Returns a whole message as it is shown: without secrets, and shortened in the middle when it is too long. */
    public static String line(String message) {
        return cut(UrlSecrets.redact(message));
    }

    /** A name in quotes for a message: control characters and unpaired surrogates are escaped, so it stays one line of text. */
    public static String quoted(String name) {
        return "'" + escaped(shortened(name)) + "'";
    }

    /** A text of a URL as it is shown in a message between quotes: as a name, and without secrets. */
    public static String excerpt(String text) {
        return escaped(UrlSecrets.redact(shortened(text)));
    }

    private static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (Character.isISOControl(c)
                    || c == 0x2028
                    || c == 0x2029
                    || Character.getType(c) == Character.SURROGATE) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE
                ? text
                : text.substring(0, LONGEST_QUOTE) + "… (" + text.length() + " characters)";
    }

    /** What was quoted stands in the middle: before it what it is about, behind it the remedy. */
    private static String cut(String message) {
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - END_OF_MESSAGE) + " … (" + message.length() + " characters) … "
                        + message.substring(message.length() - END_OF_MESSAGE);
    }

    /** A throwable as it is shown in a message; its class, if it fails at that too. */
    public static String shown(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }
}
