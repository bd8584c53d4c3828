// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The columns that sync and audit name: with a schema, with quotes, and written wrong. */
@Tag("long")
class ColumnNamesTest {

    private static final int FOUND = 3;
    /** Characters that mean something to drivers and to SQL. */
    private static final String ODD = "My {fn x} Table. :1 ?; --'$1";

    private static CommandLineRun on(Database database, String... arguments) {
        return CommandLineRun.on(database.url(), arguments);
    }

    private static String quoted(Engine engine, String name) {
        return engine == Engine.MARIADB ? '`' + name + '`' : '"' + name + '"';
    }

    /** A schema with two tables that the unqualified name does not find; returns the schema. */
    private static String schema(Engine engine, Database database) throws SQLException {
        String schema = "acme_" + database.name();
        String prefix = quoted(engine, schema) + ".";
        String odd = quoted(engine, ODD);
        database.execute(
                "CREATE SCHEMA " + quoted(engine, schema),
                "CREATE TABLE " + prefix + quoted(engine, "ticket") + " (" + quoted(engine, "id") + " BIGINT, "
                        + quoted(engine, "at") + " INT)",
                "INSERT INTO " + prefix + quoted(engine, "ticket") + " VALUES (41, 1), (7, 2)",
                "CREATE TABLE " + prefix + odd + " (" + odd + " BIGINT, " + quoted(engine, "made at") + " INT)",
                "INSERT INTO " + prefix + odd + " VALUES (50, 1), (49, 2)");
        return schema;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_column_may_be_in_another_schema(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String schema = schema(engine, database);
        try {
            on(database, "create", "a").succeeded();
            String column = schema + ".ticket.id";
            assertThat(on(database, "sync", "a", "--column", column, "--dry-run")
                            .succeeded())
                    .contains("would raise 'a' from 1 to 42, since " + column + " has reached 41");
            assertThat(on(database, "sync", "a", "--column", column).succeeded())
                    .contains("raised 'a'", "its next value is 42");
            assertThat(on(database, "sync", "a", "--column", column).succeeded())
                    .contains("nothing to do");
            assertThat(on(database, "sync", "a", "--column", schema + ".ticket.id")
                            .succeeded())
                    .contains("nothing to do");
            CommandLineRun audit = on(database, "audit", "a", "--column", schema + ".ticket.id", "--ordered-by", "at");
            audit.endedWith(FOUND, column + " has 2 gaps, 1 number out of order");
            assertThat(audit.out()).contains("column        " + column + ", 2 rows", "by at");
            assertThat(on(database, "audit", "a", "--column", column, "--format", "json")
                            .out())
                    .contains("\"table\": \"" + schema + ".ticket\"", "\"column\": \"id\"");
        } finally {
            drop(engine, database, schema);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void names_that_are_quoted_may_hold_any_text(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String schema = schema(engine, database);
        try {
            on(database, "create", "a").succeeded();
            String column = schema + ".\"" + ODD + "\".\"" + ODD + "\"";
            assertThat(on(database, "sync", "a", "--column", column).succeeded())
                    .contains("its next value is 51", column + " has reached 50");
            assertThat(on(database, "sync", "a", "--column", column.replace('"', '`'))
                            .succeeded())
                    .contains("nothing to do");
            CommandLineRun audit =
                    on(database, "audit", "a", "--column", column, "--ordered-by", "\"made at\"", "--first", "49");
            audit.endedWith(FOUND, column + " has 1 number out of order");
        } finally {
            drop(engine, database, schema);
        }
    }

    private static void drop(Engine engine, Database database, String schema) throws SQLException {
        database.execute("DROP SCHEMA " + quoted(engine, schema) + (engine == Engine.MARIADB ? "" : " CASCADE"));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2", "SQLITE"})
    void a_missing_name_is_reported(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        database.execute("CREATE TABLE " + quoted(engine, "orders") + " (" + quoted(engine, "id") + " BIGINT)");
        on(database, "create", "a").succeeded();
        for (String command : new String[] {"sync", "audit"}) {
            on(database, command, "a", "--column", "nosuch.orders.id")
                    .failedWith("has no table 'nosuch.orders'", "name one that it has");
            on(database, command, "a", "--column", "none.id").failedWith("has no table 'none'", "name one that it has");
            on(database, command, "a", "--column", "\"no ne\".id").failedWith("has no table '\"no ne\"'");
            on(database, command, "a", "--column", "orders.none").failedWith("table 'orders'", "no column 'none'");
            on(database, command, "a", "--column", "\" \".id").failedWith("the name of the table", "cannot be used");
        }
    }

    @Test
    void a_missing_right_to_a_schema_is_reported_with_its_grant() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        String schema = schema(Engine.POSTGRESQL, database);
        on(database, "create", "a").succeeded();
        database.execute(
                "DO $$ BEGIN CREATE ROLE reader LOGIN PASSWORD 'x'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                "GRANT SELECT ON seriatim_sequence TO reader");
        on(database.as("reader", "x"), "audit", "a", "--column", schema + ".ticket.id")
                .failedWith("may not read table '" + schema + ".ticket'", "grant it SELECT", "USAGE on the schema");
    }

    @Test
    void both_commands_take_a_column_of_a_schema_of_sqlite() throws SQLException {
        Database database = Engine.SQLITE.freshDatabase();
        database.execute("CREATE TABLE orders (id BIGINT)", "INSERT INTO orders VALUES (41)");
        on(database, "create", "a").succeeded();
        assertThat(on(database, "sync", "a", "--column", "main.orders.id").succeeded())
                .contains("its next value is 42");
        on(database, "audit", "a", "--column", "main.orders.id", "--first", "41")
                .succeeded();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b.c.d",
                ".id",
                "orders.",
                "a..id",
                "orders.id; drop table orders",
                "My Table.id",
                "a.\"b",
                "a.1b",
                "\"a\"b.id",
                ""
            })
    void a_name_of_another_form_is_refused_before_anything_is_opened(String column) {
        for (String command : new String[] {"sync", "audit"}) {
            CommandLineRun.on("jdbc:nothing:", command, "a", "--column", column)
                    .refusedWith("'" + column + "'", "[SCHEMA.]TABLE.COLUMN", "plain identifier", "double quotes");
        }
    }

    @Test
    void a_column_without_its_table_and_a_time_of_another_table_are_refused() {
        Map<String, String> memory = Map.of("SERIATIM_STORE", "memory:");
        for (String command : new String[] {"sync", "audit"}) {
            CommandLineRun.of(memory, command, "a").refusedWith("--column");
            CommandLineRun.of(memory, command, "a", "--column", "id").refusedWith("'id'", "[SCHEMA.]TABLE.COLUMN");
        }
        CommandLineRun.of(memory, "audit", "a", "--column", "o.id", "--ordered-by", "o.at")
                .refusedWith("--ordered-by", "'o.at'", "column of the same table");
    }
}
