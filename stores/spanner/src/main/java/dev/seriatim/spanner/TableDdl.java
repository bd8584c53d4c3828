// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import dev.seriatim.store.Layout;
import dev.seriatim.store.SequenceTable;
import java.util.List;
import java.util.stream.Collectors;

/** The table as a DDL statement. Immutable and thread-safe. */
record TableDdl(SpannerDatabase database, SequenceTable table, Layout layout, SpannerFailures failures) {

    /** Creates the table if it does not exist. */
    void create() {
        new Ddl(database, failures).run(statement());
    }

    /** Returns the statement as text, with the privileges that an application needs. */
    String script() {
        String name = Ddl.quoted(table.table());
        return statement() + ";\n\n-- Least privileges, with fine-grained access control:\n"
                + List.of("SELECT", "UPDATE").stream()
                        .map(right -> "-- GRANT " + right + " ON TABLE " + name + " TO ROLE app_user;\n")
                        .collect(Collectors.joining())
                + "-- To create and drop sequences, also INSERT and DELETE.\n";
    }

    private String statement() {
        String columns = layout.columns().stream()
                .map(column -> ",\n  " + Ddl.quoted(column) + " INT64 NOT NULL")
                .collect(Collectors.joining());
        String key = Ddl.quoted(table.nameColumn());
        return "CREATE TABLE IF NOT EXISTS " + Ddl.quoted(table.table()) + " (\n  " + key + " STRING(64) NOT NULL"
                + columns + "\n) PRIMARY KEY (" + key + ")";
    }
}
