// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

/**
 * What mends a finding.
 *
 * @param text one line: a statement, a command, or advice
 * @param kind what it is
 */
public record Remedy(String text, Kind kind) {

    /** What a remedy is. */
    public enum Kind {
        /** An SQL statement that only moves a counter further away from what has been generated; safe beside draws. */
        RAISES,
        /** An SQL statement that changes a definition or a table. */
        CHANGES,
        /** A command of the command line. */
        COMMAND,
        /** A setting of the server, or words. */
        ADVICE
    }

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

    /** Returns a statement; or advice, if a name has a line break or another hidden character, which one line cannot show. */
    public static Remedy statement(String sql, Kind kind) {
        return sql.chars().anyMatch(Remedy::isHidden)
                ? new Remedy(
                        "rename the object, whose name has a line break or another control character, and examine again",
                        Kind.ADVICE)
                : new Remedy(sql, kind);
    }
}
