// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.rowpool.PoolTable;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.FunctionText;
import dev.seriatim.jdbc.sql.Grant;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Sql;
import dev.seriatim.jdbc.sql.SqlFunctions;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The SQL of the tables. */
record Schema(CounterRows rows, Optional<PoolTable> pools) {

    /** Returns the statement that creates the table if it does not exist; the prefix is its schema. */
    private String createTable(String prefix) {
        Dialect dialect = dialect();
        String columns = rows.layout().columns().stream()
                .map(column -> ",\n  " + dialect.quote(column) + " " + dialect.numberType() + " NOT NULL")
                .collect(Collectors.joining());
        return dialect.createMissing(
                prefix + dialect.quote(rows.place().name()),
                " (\n  " + dialect.quote(rows.table().nameColumn()) + " " + dialect.nameType() + " NOT NULL PRIMARY KEY"
                        + columns + "\n)" + dialect.tableOptions());
    }

    /** Creates the table if it does not exist, and returns it. */
    PlacedTable createTable(Connection connection) throws SQLException {
        Sql.execute(connection, createTable(rows.place().prefix()));
        return rows.place();
    }

    /** Creates the tables if they do not exist, and the functions if the engine supports them. */
    PlacedTable install(Connection connection) throws SQLException {
        Optional<SqlFunctions> functions = functions();
        if (functions.isPresent()) {
            functions.get().install(connection, createTables(functions.get().prefix(connection)));
        } else {
            createTable(connection); // such engines have no pools
        }
        return rows.place();
    }

    Optional<SqlFunctions> functions() {
        return dialect().functions(rows.table(), rows.place().schema());
    }

    /** Returns a script without functions that creates what is missing, with the advice on privileges. */
    String migration(List<SequenceDefinition> sequences) {
        Stream<String> all =
                Stream.concat(createTables(named()).stream(), sequences.stream().map(this::insertMissing));
        return withAdvice(all.collect(Collectors.joining(";\n\n")) + ";\n", named(), List.of());
    }

    /** Returns the qualifier of the table in a script for any session: the schema, if the table's name has one. */
    private String named() {
        return rows.table().schema().isPresent() ? rows.place().prefix() : "";
    }

    private String insertMissing(SequenceDefinition sequence) {
        // What ends a line, begins an escape in MySQL, or is a placeholder of Flyway and Liquibase
        if (sequence.name().matches("(?s).*(?:\\p{Cntrl}|\\\\|\\$\\{).*")) {
            throw new Misconfigured(sequence.name(), """
                    a script cannot hold this name; create it directly""");
        }
        String table = named() + dialect().quote(rows.place().name());
        String column = dialect().quote(rows.table().nameColumn());
        String name = dialect().literal(sequence.name());
        String columns = rows.layout().columns().stream().map(dialect()::quote).collect(Collectors.joining(", "));
        long[] numbers = rows.layout().numbers(SequenceState.fresh(rows.layout().adopt(sequence), 0));
        String values = LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(", "));
        FunctionText text = new FunctionText(dialect().getClass(), rows.table());
        return "INSERT INTO " + table + " (" + column + ", " + columns + ")\nSELECT " + name + ", "
                + (text.plain()
                        ? values
                        : values.replaceFirst("0$", text.statement(dialect().clock()))) // the epoch
                + "\nFROM (SELECT 1 AS one) AS once\nWHERE NOT EXISTS (SELECT 1 FROM " + table + " WHERE " + column
                + " " + dialect().operator("=") + " " + name + ")";
    }

    /** Returns a script with functions, with the advice on privileges. */
    String script(Connection connection, SqlFunctions functions) throws SQLException {
        String prefix = functions.prefix(connection);
        return withAdvice(functions.script(connection, createTables(prefix)), prefix, functions.grants(prefix));
    }

    private Dialect dialect() {
        return rows.place().dialect();
    }

    private List<String> createTables(String prefix) {
        return Stream.concat(Stream.of(createTable(prefix)), pools.stream().map(table -> table.create(prefix)))
                .toList();
    }

    private String withAdvice(String statements, String prefix, List<Grant> more) {
        List<Grant> pooled = pools.map(table -> table.grants(prefix)).orElse(List.of());
        List<Grant> own = dialect().grants(prefix + dialect().quote(rows.place().name()));
        return statements + "\n"
                + Grant.script(
                        Stream.of(own, pooled, more).flatMap(List::stream).toList());
    }
}
