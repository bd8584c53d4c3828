// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.internal;

/** Formats error messages: one line each, without secrets, and of limited length. */
public final class Messages {

    /** Maximum length of a message, in characters; text quoted in it can be of any length. */
    private static final int LONGEST_MESSAGE = 1500;

    private static final int BEGIN_OF_MESSAGE = 950;
    private static final int END_OF_MESSAGE = 500;
    private static final int LONGEST_QUOTE = 200;

    private Messages() {}

    /** Returns a complete message for display: without secrets, and shortened in the middle if too long. */
    public static String line(String message) {
        return cut(UrlSecrets.redact(message));
    }

    /** Returns a name in quotes, with control characters and unpaired surrogates escaped, so that messages stay one line. */
    public static String quoted(String name) {
        return "'" + escaped(shortened(name)) + "'";
    }

    /** Returns part of a URL for display between quotes: escaped like a name, and without secrets. */
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

    /** Quoted text is in the middle; the beginning names the subject, and the end gives the remedy. */
    private static String cut(String message) {
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, BEGIN_OF_MESSAGE) + " … (" + message.length() + " characters) … "
                        + message.substring(message.length() - END_OF_MESSAGE);
    }

    /** Returns the text of a throwable, or its class name if that fails too. */
    public static String shown(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }
}
