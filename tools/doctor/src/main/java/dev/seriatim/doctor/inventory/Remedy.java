// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.cli.terminal.OneLine;

/** Something that mends a finding, in one line: a statement, a command, or advice. */
public record Remedy(String text, Kind kind) {

    public enum Kind {
        /** An SQL statement that only moves a counter further away from the numbers that have been generated; safe while others draw. */
        RAISES,
        /** An SQL statement that changes a definition or a table. */
        CHANGES,
        COMMAND,
        /** A setting of the server, or words. */
        ADVICE
    }

    static Remedy raises(String sql) {
        return statement(sql, Kind.RAISES);
    }

    public static Remedy changes(String sql) {
        return statement(sql, Kind.CHANGES);
    }

    public static Remedy advice(String text) {
        return new Remedy(text, Kind.ADVICE);
    }

    /** One line cannot show a name with a line break or another hidden character. */
    private static Remedy statement(String sql, Kind kind) {
        return sql.chars().anyMatch(OneLine::isHidden) ? advice("""
                        rename the object, whose name has a line break or another control character, and examine \
                        again""") : new Remedy(sql, kind);
    }
}
