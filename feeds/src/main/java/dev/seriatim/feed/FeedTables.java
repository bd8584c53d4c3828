// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.jdbc.sql.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * A feed's row in the table of feeds. Names are checked, and not quoted.
 *
 * @param schema of the user's table and of those beside it; empty on SQLite
 * @param key the columns that identify a row
 * @param fromNow whether rows were left out that existed when the feed was made
 */
record FeedTables(
        String name,
        String schema,
        String table,
        String inbox,
        String positions,
        String view,
        List<String> key,
        boolean fromNow) {

    /** PostgreSQL's limit, in bytes, which is the lowest, less what it appends for a sequence: {@code _arrival_seq}. */
    private static final int LONGEST_IDENTIFIER = 63 - 12;

    private static final String VIEW = "_feed";

    static FeedTables of(FeedDefinition definition, String schema, List<String> key) {
        String base = definition.isNamed() ? definition.name() : definition.table();
        return new FeedTables(
                definition.name(),
                schema,
                definition.table(),
                beside(base, "_inbox"),
                beside(base, "_positions"),
                beside(base, VIEW),
                key,
                definition.from() == FeedDefinition.From.NOW);
    }

    /** Returns a name with a suffix, cut to what engines allow, with a hash of what is cut off. */
    static String beside(String base, String suffix) {
        String whole = base + suffix;
        if (whole.getBytes(StandardCharsets.UTF_8).length <= LONGEST_IDENTIFIER) {
            return whole;
        }
        String hash = "_" + Integer.toHexString(base.hashCode());
        String start = base;
        while ((start + hash + suffix).getBytes(StandardCharsets.UTF_8).length > LONGEST_IDENTIFIER) {
            start = start.substring(0, start.offsetByCodePoints(start.length(), -1));
        }
        return start + hash + suffix;
    }

    /** Returns what the names of the feed's tables begin with. */
    String base() {
        return view.substring(0, view.length() - VIEW.length());
    }

    /** Returns one of the names, quoted and with the schema. */
    String in(Dialect dialect, String name) {
        return schema.isEmpty() ? dialect.quote(name) : dialect.quote(schema) + "." + dialect.quote(name);
    }

    /** Returns the quoted columns of the key after a prefix, such as {@code t.}. */
    String key(Dialect dialect, String prefix) {
        return key.stream().map(column -> prefix + dialect.quote(column)).collect(Collectors.joining(", "));
    }

    /** Returns the condition that two tables have the same key. */
    String sameKey(Dialect dialect, String left, String right) {
        BinaryOperator<String> equal = (a, b) -> a + " " + dialect.operator("=") + " " + b;
        return key.stream()
                .map(dialect::quote)
                .map(column -> equal.apply(left + "." + column, right + "." + column))
                .collect(Collectors.joining(" AND "));
    }
}
