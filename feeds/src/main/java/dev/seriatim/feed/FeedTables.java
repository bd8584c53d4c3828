// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.feed.FeedDefinition.From;
import dev.seriatim.jdbc.sql.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A feed's row in the table of feeds. Names are checked, and not quoted.
 *
 * @param schema of the user's table and of those beside it; empty on SQLite
 * @param inbox on SQLite, which has none, the table of positions
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
                beside(base, schema.isEmpty() ? "_positions" : "_inbox"),
                beside(base, "_positions"),
                beside(base, VIEW),
                key,
                definition.from() == From.NOW);
    }

    FeedDefinition definition() {
        Optional<String> in = schema.isEmpty() ? Optional.empty() : Optional.of(schema);
        return new FeedDefinition(name, in, table, key, fromNow ? From.NOW : From.BEGINNING);
    }

    /** Throws {@link Misconfigured} if another feed is wanted under this one's name. */
    void checkSame(FeedTables wanted) {
        if (!table.equals(wanted.table) || !schema.equals(wanted.schema)) {
            throw new Misconfigured(
                    "feed '" + name + "' stands over table '" + table + "'; give the new feed another name");
        }
        if (!key.equals(wanted.key) || fromNow != wanted.fromNow) {
            throw new Misconfigured("feed '" + name + "' has the key " + String.join(", ", key) + ", from "
                    + (fromNow ? From.NOW : From.BEGINNING) + "; define it so, or run 'seriatim feed drop " + name
                    + "' first");
        }
    }

    /** Returns a name with a suffix, cut to what engines allow, with a hash of what is cut off. */
    private static String beside(String base, String suffix) {
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

    /** Returns the name of the trigger that fills the inbox. */
    String trigger() {
        return beside(base(), "_arrives");
    }

    /** Returns the name of the trigger against TRUNCATE. */
    String truncateTrigger() {
        return beside(base(), "_keeps");
    }

    private String base() {
        return view.substring(0, view.length() - VIEW.length());
    }

    /** Returns one of the names, quoted and with the schema. */
    String in(Dialect dialect, String name) {
        return schema.isEmpty() ? dialect.quote(name) : dialect.quote(schema) + "." + dialect.quote(name);
    }

    /** Returns the condition that {@code t} and {@code p} have the same key. */
    String sameKey(Dialect dialect) {
        String equals = " " + dialect.operator("=") + " ";
        return key.stream()
                .map(dialect::quote)
                .map(column -> "t." + column + equals + "p." + column)
                .collect(Collectors.joining(" AND "));
    }
}
