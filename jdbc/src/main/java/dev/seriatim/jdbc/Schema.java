// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table as SQL. */
record Schema(Dialect dialect, SequenceTable table, Layout layout) {

    /** What creates the table unless it is there. */
    String createTable() {
        String columns = layout.columns().stream()
                .map(column -> ",\n  " + dialect.quote(column) + " " + dialect.numberType() + " NOT NULL")
                .collect(Collectors.joining());
        return "CREATE TABLE IF NOT EXISTS " + dialect.quote(table.table()) + " (\n  "
                + dialect.quote(table.nameColumn()) + " " + dialect.nameType() + " NOT NULL PRIMARY KEY" + columns
                + "\n)"
                + dialect.tableOptions();
    }

    /** Creates the table unless it is there. */
    void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(createTable());
        }
    }

    /** Creates the table unless it is there, and the functions where the engine has them. */
    void install(Connection connection) throws SQLException {
        createTable(connection);
        Optional<SqlFunctions> functions = functions();
        if (functions.isPresent()) {
            functions.get().install(connection);
        }
    }

    /** The functions where the engine has them. */
    Optional<SqlFunctions> functions() {
        return dialect.functions(table);
    }

    /** The same as text without functions, and the advice. */
    String script() {
        return withAdvice(createTable() + ";\n", List.of());
    }

    /** The same as text with functions, and the advice. */
    String script(Connection connection, SqlFunctions functions) throws SQLException {
        return withAdvice(functions.script(connection, createTable()), functions.grants());
    }

    private String withAdvice(String statements, List<String> more) {
        return Stream.of(dialect.grants(dialect.quote(table.table())), more)
                .flatMap(List::stream)
                .collect(Collectors.joining("\n", statements + "\n", "\n"));
    }
}
