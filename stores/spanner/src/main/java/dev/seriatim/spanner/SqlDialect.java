// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.spanner.SpannerNativeStore.SkipRange;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The SQL that differs between the dialects of Spanner databases. Names are valid paths, such as {@code acme.orders}. */
enum SqlDialect {
    GOOGLE("`", "INT64", "STRING", "", "") {
        @Override
        String createTable(String table, String key, List<String> numbers) {
            return creation(table, key, numbers) + "\n) PRIMARY KEY (" + quoted(key) + ")";
        }

        @Override
        String role(String name) {
            return "ROLE " + name;
        }

        @Override
        String parameter() {
            return "@p1";
        }

        @Override
        Statement draw(String sequence, long count) {
            return Statement.of("SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE " + quoted(sequence)
                    + ") FROM UNNEST(GENERATE_ARRAY(1, " + count + "))");
        }

        @Override
        String argument(String sequence) {
            return "SEQUENCE " + quoted(sequence);
        }

        @Override
        String alterIdentity() {
            return "ALTER IDENTITY ";
        }

        @Override
        String skips(SkipRange range) {
            return "SKIP RANGE " + range.min() + ", " + range.max();
        }

        @Override
        String sequences() {
            return "SELECT " + unlessDefault("s.schema") + " || s.name AS name, " + option("sequence_kind")
                    + " AS kind, "
                    + option("start_with_counter") + " AS start, " + option("skip_range_min") + " AS low, "
                    + option("skip_range_max") + " AS high FROM information_schema.sequences AS s";
        }

        // With a join and a grouping instead, the emulator crashes.
        private static String option(String name) {
            return """
                    (SELECT o.option_value FROM information_schema.sequence_options AS o WHERE o.schema = s.schema AND \
                    o.name = s.name AND o.option_name = '%s')""".formatted(name);
        }
    },

    POSTGRES("\"", "bigint", "varchar", "public", "spanner.") {
        @Override
        String createTable(String table, String key, List<String> numbers) {
            return creation(table, key, numbers) + ",\n  PRIMARY KEY (" + quoted(key) + ")\n)";
        }

        @Override
        String role(String name) {
            return name;
        }

        @Override
        String parameter() {
            return "$1";
        }

        @Override
        Statement draw(String sequence, long count) {
            // This dialect has no function that generates rows.
            return Statement.newBuilder("SELECT nextval('" + sequence + "') FROM unnest($1::bigint[]) AS x")
                    .bind("p1")
                    .toInt64Array(new long[(int) count])
                    .build();
        }

        @Override
        String argument(String sequence) {
            return "'" + sequence + "'";
        }

        @Override
        String alterIdentity() {
            return "";
        }

        @Override
        String skips(SkipRange range) {
            return "SKIP RANGE " + range.min() + " " + range.max();
        }

        @Override
        String sequences() {
            return """
                    SELECT %s || sequence_name AS name, sequence_kind AS kind, %s AS start, %s AS low, %s AS high \
                    FROM information_schema.sequences""".formatted(
                            unlessDefault("sequence_schema"),
                            asText("counter_start_value"),
                            asText("skip_range_min"),
                            asText("skip_range_max"));
        }

        /** Functions take names as text, in which the emulator knows no quotation marks; so capitals would be folded. */
        @Override
        void checkSequence(String name) {
            if (!name.equals(name.toLowerCase(Locale.ROOT))) {
                throw new Misconfigured(name, """
                        in PostgreSQL's dialect, only sequences with lower-case names can be used; use such a name""");
            }
        }

        @Override
        String path(String table) {
            // Mutations know the default schema only without its name.
            return table.startsWith("public.") ? table.substring("public.".length()) : table;
        }
    };

    private final String quote;
    private final String integer;
    private final String text;
    private final String defaultSchema;
    private final String functions;

    SqlDialect(String quote, String integer, String text, String defaultSchema, String functions) {
        this.quote = quote;
        this.integer = integer;
        this.text = text;
        this.defaultSchema = defaultSchema;
        this.functions = functions;
    }

    static SqlDialect of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? POSTGRES : GOOGLE;
    }

    /** Quotes each part of a valid path. */
    String quoted(String path) {
        return quote + path.replace(".", quote + "." + quote) + quote;
    }

    /** Returns the type of 64-bit integers. */
    String integer() {
        return integer;
    }

    String asText(String expression) {
        return "CAST(" + expression + " AS " + text + ")";
    }

    /** Returns the name of a table for mutations and reads. */
    String path(String table) {
        return table;
    }

    /** Returns the statement that creates a table of sequences if it does not exist. */
    abstract String createTable(String table, String key, List<String> numbers);

    String creation(String table, String key, List<String> numbers) {
        return "CREATE TABLE IF NOT EXISTS " + quoted(table) + " (\n  " + quoted(key) + " " + text + "(64) NOT NULL"
                + numbers.stream()
                        .map(column -> ",\n  " + quoted(column) + " " + integer + " NOT NULL")
                        .collect(Collectors.joining());
    }

    /** Returns a role for a grant. */
    abstract String role(String name);

    /** Returns the place of the parameter that is bound as {@code p1}. */
    abstract String parameter();

    /** Throws {@link Misconfigured} if a database of this dialect cannot have a sequence of this name. */
    void checkSequence(String name) {}

    /** Returns the query that draws from a sequence of the database. */
    abstract Statement draw(String sequence, long count);

    /** Returns an expression for the counter of a sequence, null if nothing has been drawn. */
    String counter(String sequence) {
        return functions + "get_internal_sequence_state(" + argument(sequence) + ")";
    }

    /** Returns an expression for the counter of an identity column, null if nothing has been drawn. */
    String identityCounter(String column) {
        return functions + "get_table_column_identity_state('" + column + "')";
    }

    /** Returns a sequence as the argument of a function. */
    abstract String argument(String sequence);

    /** Returns what precedes a clause that alters an identity column. */
    abstract String alterIdentity();

    /** Returns the clause for a range that is not dealt. */
    abstract String skips(SkipRange range);

    /** Returns the query of the database's sequences: name, kind, start, and both ends of the skip range, as text. */
    abstract String sequences();

    /** Returns the same query, also of identity columns. */
    String numbered() {
        return sequences() + " UNION ALL SELECT " + unlessDefault("table_schema") + """
                 || table_name || '.' || column_name, identity_kind, identity_start_with_counter, \
                identity_skip_range_min, identity_skip_range_max FROM information_schema.columns \
                WHERE is_identity = 'YES'""";
    }

    String unlessDefault(String schema) {
        return "CASE WHEN " + schema + " = '" + defaultSchema + "' THEN '' ELSE " + schema + " || '.' END";
    }
}
