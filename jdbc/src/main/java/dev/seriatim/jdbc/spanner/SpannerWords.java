// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.spanner;

import java.sql.SQLException;

/** Reads the messages of Spanner's driver when it cannot connect: a canonical code and the reason. */
final class SpannerWords {

    private SpannerWords() {}

    /** Returns whether the database, or the instance that would hold it, does not exist. */
    static boolean unknownDatabase(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("NOT_FOUND: ")
                && (message.contains("Database not found") || message.contains("Instance not found"));
    }

    /** Returns whether the user is unknown or refused. */
    static boolean unknownUser(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.startsWith("UNAUTHENTICATED: ")
                || message.startsWith("PERMISSION_DENIED: ")
                || message.startsWith("INVALID_ARGUMENT: Invalid credentials");
    }

    /** Returns whether the driver or the server rejects the URL's contents. */
    static boolean wrongUrl(SQLException e) {
        return String.valueOf(e.getMessage()).startsWith("INVALID_ARGUMENT: ");
    }
}
