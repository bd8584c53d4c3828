// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.dialect;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * What a driver's exception reports.
 *
 * @param state the SQLSTATE; empty if there is none
 * @param code the vendor code; 0 if there is none
 * @param message the message; empty if there is none
 */
public record DriverError(String state, int code, String message) {

    public static DriverError of(SQLException e) {
        return new DriverError(
                Optional.ofNullable(e.getSQLState()).orElse(""),
                e.getErrorCode(),
                Optional.ofNullable(e.getMessage()).orElse(""));
    }

    /** Returns whether the message contains these words, given in lower case. */
    public boolean says(String words) {
        return message.toLowerCase(Locale.ROOT).contains(words);
    }
}
