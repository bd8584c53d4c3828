// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.spanner.SpannerNativeStore.SkipRange;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The SQL that differs between GoogleSQL and PostgreSQL's dialect. Names are valid paths, such as {@code a.orders}. */
record SqlDialect(boolean postgres) {

    static SqlDialect of(Dialect dialect) {
        return new SqlDialect(dialect == Dialect.POSTGRESQL);
    }

    /** Quotes each part of a valid path. */
    String quoted(String path) {
        String mark = postgres ? "\"" : "`";
        return mark + path.replace(".", mark + "." + mark) + mark;
    }

    String integer() {
        return postgres ? "bigint" : "INT64";
    }

    private String text() {
        return postgres ? "varchar" : "STRING";
    }

    String asText(String expression) {
        return "CAST(" + expression + " AS " + text() + ")";
    }

    /** Returns the name of a table for mutations and reads, which know the default schema only without its name. */
    String path(String table) {
        return postgres ? table.replaceFirst("^public[.]", "") : table;
    }

    String createTable(String table, String key, List<String> numbers) {
        String primary = "PRIMARY KEY (" + quoted(key) + ")";
        return "CREATE TABLE IF NOT EXISTS " + quoted(table) + " (\n  " + quoted(key) + " " + text() + "(64) NOT NULL"
                + numbers.stream()
                        .map(column -> ",\n  " + quoted(column) + " " + integer() + " NOT NULL")
                        .collect(Collectors.joining())
                + (postgres ? ",\n  " + primary + "\n)" : "\n) " + primary);
    }

    /** Returns the place of the parameter that is bound as {@code p1}. */
    String parameter() {
        return postgres ? "$1" : "@p1";
    }

    /** Refuses capitals in PostgreSQL's dialect, whose functions take names as text: the emulator would fold them. */
    void checkSequence(String name) {
        if (postgres && !name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new Misconfigured(name, """
                    in PostgreSQL's dialect, only sequences with lower-case names can be used; use such a name""");
        }
    }

    Statement draw(String sequence, long count) {
        return postgres
                // This dialect has no function that generates rows.
                ? Statement.newBuilder("SELECT nextval('" + sequence + "') FROM unnest($1::bigint[]) AS x")
                        .bind("p1")
                        .toInt64Array(new long[(int) count])
                        .build()
                : Statement.of("SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE " + quoted(sequence)
                        + ") FROM UNNEST(GENERATE_ARRAY(1, " + count + "))");
    }

    /** Returns an expression for the counter of a sequence, null if nothing has been drawn. */
    String counter(String sequence) {
        return function(
                "get_internal_sequence_state", postgres ? "'" + sequence + "'" : "SEQUENCE " + quoted(sequence));
    }

    /** Returns the same for an identity column. */
    String identityCounter(String column) {
        return function("get_table_column_identity_state", "'" + column + "'");
    }

    private String function(String name, String argument) {
        return (postgres ? "spanner." : "") + name + "(" + argument + ")";
    }

    /** Returns what precedes a clause that alters an identity column. */
    String alterIdentity() {
        return postgres ? "" : "ALTER IDENTITY ";
    }

    /** Returns the clause for a range that is not dealt. */
    String skips(SkipRange range) {
        return "SKIP RANGE " + range.min() + (postgres ? " " : ", ") + range.max();
    }

    /** Returns the query of sequences and identity columns: name, kind, start, and ends of the skip range, as text. */
    String numbered() {
        String sequences = postgres
                ? "SELECT " + unlessDefault("sequence_schema") + " || sequence_name AS name, sequence_kind AS kind, "
                        + asText("counter_start_value") + " AS start, " + asText("skip_range_min") + " AS low, "
                        + asText("skip_range_max") + " AS high FROM information_schema.sequences"
                : "SELECT " + unlessDefault("s.schema") + " || s.name AS name, " + option("sequence_kind")
                        + " AS kind, "
                        + option("start_with_counter") + " AS start, " + option("skip_range_min") + " AS low, "
                        + option("skip_range_max") + " AS high FROM information_schema.sequences AS s";
        return sequences + " UNION ALL SELECT " + unlessDefault("table_schema") + """
                 || table_name || '.' || column_name, identity_kind, identity_start_with_counter, \
                identity_skip_range_min, identity_skip_range_max FROM information_schema.columns \
                WHERE is_identity = 'YES'""";
    }

    // With a join and a grouping instead, the emulator crashes.
    private static String option(String name) {
        return """
                (SELECT o.option_value FROM information_schema.sequence_options AS o WHERE o.schema = s.schema AND \
                o.name = s.name AND o.option_name = '%s')""".formatted(name);
    }

    private String unlessDefault(String schema) {
        return "CASE WHEN " + schema + " = '" + (postgres ? "public" : "") + "' THEN '' ELSE " + schema + " || '.' END";
    }
}
