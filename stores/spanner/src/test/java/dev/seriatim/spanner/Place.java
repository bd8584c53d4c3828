// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import com.google.cloud.spanner.Dialect;
import dev.seriatim.store.SequenceTable;

/** Where the sequences of a test are: the dialect of its database, and the schema. */
enum Place {
    GOOGLE(Dialect.GOOGLE_STANDARD_SQL, ""),
    GOOGLE_SCHEMA(Dialect.GOOGLE_STANDARD_SQL, "acme."),
    POSTGRES(Dialect.POSTGRESQL, ""),
    POSTGRES_SCHEMA(Dialect.POSTGRESQL, "acme.");

    private final Dialect dialect;
    private final String prefix;

    Place(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
    }

    Dialect dialect() {
        return dialect;
    }

    SqlDialect sql() {
        return SqlDialect.of(dialect);
    }

    boolean isGoogle() {
        return dialect == Dialect.GOOGLE_STANDARD_SQL;
    }

    boolean hasSchema() {
        return !prefix.isEmpty();
    }

    /** Returns a name in the schema. */
    String path(String name) {
        return prefix + name;
    }

    SequenceTable table() {
        return SequenceTable.own(path(SequenceTable.DEFAULT_NAME));
    }

    /** Returns the statement that creates a table with the given columns, of which the first is the key. */
    String create(String table, String... columns) {
        String key = columns[0].substring(0, columns[0].indexOf(' '));
        String all = String.join(", ", columns);
        return isGoogle()
                ? "CREATE TABLE " + table + " (" + all + ") PRIMARY KEY (" + key + ")"
                : "CREATE TABLE " + table + " ("
                        + all.replace("INT64", "bigint")
                                .replace("STRING", "varchar")
                                .replace("TIMESTAMP", "timestamptz")
                        + ", PRIMARY KEY (" + key + "))";
    }

    /** Returns the statement that creates a table of numbers. */
    String numbers() {
        return create("numbers", "number INT64 NOT NULL");
    }
}
