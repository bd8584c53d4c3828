// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.cli.terminal.OneLine;

/**
 * Something that mends a finding.
 *
 * @param text one line: a statement, a command, or advice
 * @param kind its kind
 */
public record Remedy(String text, Kind kind) {

    /** The kinds of remedies. */
    public enum Kind {
        /** An SQL statement that only moves a counter further away from the numbers that have been generated; safe beside draws. */
        RAISES,
        /** An SQL statement that changes a definition or a table. */
        CHANGES,
        /** A command of the command line. */
        COMMAND,
        /** A setting of the server, or words. */
        ADVICE
    }

    /** Returns a statement; or advice, if a name has a line break or another hidden character, which one line cannot show. */
    public static Remedy statement(String sql, Kind kind) {
        return sql.chars().anyMatch(OneLine::isHidden) ? new Remedy("""
                        rename the object, whose name has a line break or another control character, and examine \
                        again""", Kind.ADVICE) : new Remedy(sql, kind);
    }
}
