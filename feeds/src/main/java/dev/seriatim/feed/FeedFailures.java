// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Overloaded;
import java.sql.SQLException;
import java.util.List;

/** Why a table cannot have a feed. */
final class FeedFailures {

    private FeedFailures() {}

    static Misconfigured noTable(String table) {
        return new Misconfigured(
                "table '" + table + "' not found; write its name as the database spells it, with its schema");
    }

    static Misconfigured notTable(String table) {
        return new Misconfigured("'" + table + "' is not an ordinary table; name the table that holds the rows");
    }

    static Misconfigured nullable(String table, String column) {
        return new Misconfigured("column '" + column + "' of table '" + table
                + "' can be null, so it is no key; make it NOT NULL, or name another key");
    }

    /** Returns the key; refuses a table without one. */
    static FeedSql.Source checked(FeedDefinition definition, FeedSql.Source source) {
        if (source.key().isEmpty() || source.key().size() < definition.key().size()) {
            throw new Misconfigured("table '" + definition.table() + "' has no "
                    + (definition.key().isEmpty() ? "primary key" : "such columns " + definition.key())
                    + "; name columns that identify a row as its key");
        }
        return source;
    }

    static Overloaded written(String table, List<String> sessions, SQLException cause) {
        return new Overloaded(
                "table '" + table + "' is being written by " + String.join(", ", sessions)
                        + "; end it, then create the feed again. Nothing is changed",
                cause);
    }
}
