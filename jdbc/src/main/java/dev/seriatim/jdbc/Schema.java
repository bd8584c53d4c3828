// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The table as SQL. */
record Schema(Dialect dialect, SequenceTable table, Layout layout) {

    /** Creates the table unless it is there. */
    String createTable() {
        String columns = layout.columns().stream()
                .map(column -> ",\n  " + dialect.quote(column) + " " + dialect.numberType() + " NOT NULL")
                .collect(Collectors.joining());
        return "CREATE TABLE IF NOT EXISTS " + dialect.quote(table.table()) + " (\n  "
                + dialect.quote(table.nameColumn()) + " " + dialect.nameType() + " NOT NULL PRIMARY KEY" + columns
                + "\n)"
                + dialect.tableOptions();
    }

    /** The statement and the advice. */
    List<String> script() {
        List<String> script = new ArrayList<>();
        script.add(createTable());
        script.addAll(dialect.grants(dialect.quote(table.table())));
        return List.copyOf(script);
    }
}
