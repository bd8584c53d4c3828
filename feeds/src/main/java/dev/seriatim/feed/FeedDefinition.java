// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.ColumnName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a feed stands over. Immutable.
 *
 * @param name the feed's name, by default the table's; the names of its tables begin with it
 * @param schema the table's schema; empty if the database looks the table up
 * @param table the table, in the database's spelling
 * @param key columns that identify a row; empty for the primary key
 * @param from which rows become entries
 */
public record FeedDefinition(String name, Optional<String> schema, String table, List<String> key, From from) {

    /** Where a feed begins. */
    public enum From {
        /** Existing rows come first, in the order of their keys. */
        BEGINNING,
        /** Rows that exist when the feed is made are left out. */
        NOW
    }

    /** What has a meaning in the texts of statements. */
    private static final Pattern MARKS = Pattern.compile("[{}]|\\$seriatim\\$");

    private static final Pattern QUALIFIED = Pattern.compile("(?:(\"[^\"]+\"|[^\".]+)\\.)?(\"[^\"]+\"|[^\".]+)");

    /** Throws {@link Misconfigured} if a name cannot be used. */
    public FeedDefinition {
        checkName("feed", name);
        key = List.copyOf(key);
        String column = key.isEmpty() ? "id" : key.get(0);
        new ColumnName(schema, table, column);
        new ColumnName(Optional.empty(), name, column);
        key.forEach(each -> ColumnName.of(table, each));
        if (MARKS.matcher(name + table + schema + key).find()) {
            throw new Misconfigured("feed '" + name
                    + "': a feed takes no names with braces or $seriatim$; rename the table, or its columns");
        }
    }

    static String checkName(String what, String name) {
        if (name.isEmpty()) {
            throw new Misconfigured("the name of a " + what + " must not be empty; give it 1 to 64 characters");
        }
        return SequenceDefinition.checkName(name);
    }

    /**
     * Returns the default feed over a table: its primary key, existing rows first.
     *
     * @param table a name, or a schema, a dot and a name; quoted with {@code "} if it holds a dot
     * @throws Misconfigured if it is no such name
     */
    public static FeedDefinition over(String table) {
        var parts = QUALIFIED.matcher(table);
        if (!parts.matches()) {
            throw new Misconfigured("'" + table + "' is not a table's name; write TABLE or SCHEMA.TABLE");
        }
        Optional<String> schema = Optional.ofNullable(parts.group(1)).map(FeedDefinition::plain);
        String name = plain(parts.group(2));
        return new FeedDefinition(defaultName(schema, name), schema, name, List.of(), From.BEGINNING);
    }

    private static String defaultName(Optional<String> schema, String table) {
        return schema.map(prefix -> prefix + ".").orElse("") + table;
    }

    /** Returns whether the feed has another name than its table. */
    boolean isNamed() {
        return !name.equals(defaultName(schema, table));
    }

    /** Returns the same feed with another name; several feeds may stand over a table. */
    public FeedDefinition named(String feed) {
        return new FeedDefinition(feed, schema, table, key, from);
    }

    /** Returns the same feed with another key: columns that cannot be null, and together have a unique index. */
    public FeedDefinition key(String... columns) {
        return new FeedDefinition(name, schema, table, List.of(columns), from);
    }

    /** Returns the same feed with another beginning. */
    public FeedDefinition from(From beginning) {
        return new FeedDefinition(name, schema, table, key, beginning);
    }

    private static String plain(String part) {
        return part.startsWith("\"") ? part.substring(1, part.length() - 1) : part;
    }
}
