// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The name of a column in one of the user's tables. The parts are validated so that any engine can quote them without
 * escapes; they may contain spaces and dots, and are case-sensitive wherever quoted names are. Immutable and thread-safe.
 *
 * @param schema the table's schema, on MariaDB and MySQL its database; empty if the database looks the table up
 */
public record ColumnName(Optional<String> schema, String table, String column) {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int LONGEST = 128;
    private static final String QUOTES = "\"`\\";

    /** Throws {@link Misconfigured} if a part is blank, too long, or contains a quote, a backslash or a control character. */
    public ColumnName {
        schema.ifPresent(name -> check("schema", name));
        check("table", table);
        check("column", column);
    }

    /** Returns a column of a table that the database looks up. */
    public static ColumnName of(String table, String column) {
        return new ColumnName(Optional.empty(), table, column);
    }

    /** Returns a column of a table in a schema. */
    public static ColumnName of(String schema, String table, String column) {
        return new ColumnName(Optional.of(schema), table, column);
    }

    /** Returns another column of the same table. */
    public ColumnName beside(String other) {
        return new ColumnName(schema, table, other);
    }

    /** Returns the table for SQL, with its schema. */
    public String tableInSql(UnaryOperator<String> quote) {
        return schema.map(name -> quote.apply(name) + ".").orElse("") + quote.apply(table);
    }

    /** Returns the table for messages, with its schema. */
    public String qualifiedTable() {
        return tableInSql(ColumnName::shown);
    }

    /** Returns the whole name for messages, with quotes around the parts that need them. */
    @Override
    public String toString() {
        return qualifiedTable() + "." + shown(column);
    }

    private static String shown(String part) {
        return PLAIN.matcher(part).matches() ? part : '"' + part + '"';
    }

    private static void check(String what, String name) {
        boolean refused = name.chars().anyMatch(c -> Character.isISOControl(c) || QUOTES.indexOf(c) >= 0);
        if (refused || name.isBlank() || name.length() > LONGEST) {
            throw new Misconfigured(
                    "the name of the " + what + " '" + name + "' cannot be used; use at most " + LONGEST
                            + " characters, without quotes, backslashes or control characters, or create a view with valid names");
        }
    }
}
