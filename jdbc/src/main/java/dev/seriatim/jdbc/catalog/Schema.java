// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.catalog;

import dev.seriatim.jdbc.pool.PoolTable;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.Layout;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The SQL of the tables. */
public record Schema(PlacedTable place, SequenceTable table, Layout layout, Optional<PoolTable> pools) {

    /** Returns the statement that creates the table if it does not exist; the prefix is its schema. */
    private String createTable(String prefix) {
        Dialect dialect = place.dialect();
        String columns = layout.columns().stream()
                .map(column -> ",\n  " + dialect.quote(column) + " " + dialect.numberType() + " NOT NULL")
                .collect(Collectors.joining());
        return "CREATE TABLE IF NOT EXISTS " + prefix + dialect.quote(table.table()) + " (\n  "
                + dialect.quote(table.nameColumn()) + " " + dialect.nameType() + " NOT NULL PRIMARY KEY" + columns
                + "\n)"
                + dialect.tableOptions();
    }

    /** Creates the table if it does not exist. */
    public void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(createTable(place.prefix()));
        }
    }

    /** Creates the tables if they do not exist, and the functions if the engine supports them. */
    public void install(Connection connection) throws SQLException {
        Optional<SqlFunctions> functions = functions();
        if (functions.isPresent()) {
            functions.get().install(connection, createTables(functions.get().prefix(connection)));
            return;
        }
        createTable(connection);
        if (pools.isPresent()) {
            pools.get().create(connection);
        }
    }

    /** Returns the functions; empty if the engine does not support them. */
    public Optional<SqlFunctions> functions() {
        return place.dialect().functions(table, place.schema());
    }

    /** Returns a script without functions, with the advice on privileges. */
    public String script() {
        return withAdvice(String.join(";\n\n", createTables("")) + ";\n", "", List.of());
    }

    /** Returns a script with functions, with the advice on privileges. */
    public String script(Connection connection, SqlFunctions functions) throws SQLException {
        String prefix = functions.prefix(connection);
        return withAdvice(functions.script(connection, createTables(prefix)), prefix, functions.grants(prefix));
    }

    private List<String> createTables(String prefix) {
        return Stream.concat(Stream.of(createTable(prefix)), pools.stream().map(table -> table.create(prefix)))
                .toList();
    }

    private String withAdvice(String statements, String prefix, List<Grant> more) {
        List<Grant> pooled = pools.map(table -> table.grants(prefix)).orElse(List.of());
        return statements + "\n"
                + Grant.script(Stream.of(
                                place.dialect().grants(prefix + place.dialect().quote(table.table())), pooled, more)
                        .flatMap(List::stream)
                        .toList());
    }
}
