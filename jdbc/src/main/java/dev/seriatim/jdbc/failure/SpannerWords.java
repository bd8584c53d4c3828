// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.failure;

import java.sql.SQLException;
import java.util.regex.Pattern;

/** How Spanner's driver says things: with a canonical code in front, once for each layer, and with details behind. */
public final class SpannerWords {

    private static final Pattern CODES = Pattern.compile("^([A-Z_]+): (?:[\\w.]+Exception: \\1: )+");
    private static final Pattern DETAILS =
            Pattern.compile("(?s)(?:\\s*\\nresource_type: .*| \\[at \\d+:\\d+\\].*| - (?:Statement|RequestId): .*)$");

    private SpannerWords() {}

    /** What it says without its wrapping; what others say as it is. */
    static String unwrapped(String message) {
        return CODES.matcher(message).find()
                ? DETAILS.matcher(CODES.matcher(message).replaceFirst("$1: ")).replaceFirst("")
                : message;
    }

    /** Whether it has no such database, or nothing to put one into. */
    public static boolean unknownDatabase(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("NOT_FOUND: ")
                && (message.contains("Database not found") || message.contains("Instance not found"));
    }

    /** Whether it does not know who asks, or does not let them. */
    public static boolean unknownUser(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("UNAUTHENTICATED: ")
                || message.startsWith("PERMISSION_DENIED: ")
                || message.startsWith("INVALID_ARGUMENT: Invalid credentials");
    }

    /** Whether the driver, or the server, takes offence at what is in the URL. */
    public static boolean wrongUrl(SQLException e) {
        return String.valueOf(e.getMessage()).startsWith("INVALID_ARGUMENT: ");
    }
}
