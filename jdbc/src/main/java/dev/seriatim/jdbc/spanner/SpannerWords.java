// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.spanner;

import java.sql.SQLException;

/** What Spanner's driver says when it cannot connect: a canonical code, and why. */
final class SpannerWords {

    private SpannerWords() {}

    /** Whether it has no such database, or nothing to put one into. */
    static boolean unknownDatabase(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("NOT_FOUND: ")
                && (message.contains("Database not found") || message.contains("Instance not found"));
    }

    /** Whether it does not know who asks, or does not let them. */
    static boolean unknownUser(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("UNAUTHENTICATED: ")
                || message.startsWith("PERMISSION_DENIED: ")
                || message.startsWith("INVALID_ARGUMENT: Invalid credentials");
    }

    /** Whether the driver, or the server, takes offence at what is in the URL. */
    static boolean wrongUrl(SQLException e) {
        return String.valueOf(e.getMessage()).startsWith("INVALID_ARGUMENT: ");
    }
}
