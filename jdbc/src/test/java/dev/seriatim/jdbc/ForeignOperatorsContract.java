// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Database;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On PostgreSQL, an operator or function without an exact match in the catalogue is looked up along the search path.
 * If others may create objects in a schema on it, theirs would run with the privileges of the user who draws through
 * the library.
 */
abstract class ForeignOperatorsContract {

    private static final String PASSWORD = "pass";

    /** Operator names such as {@code +}, by result type. */
    private static final Map<String, List<String>> OPERATORS = Map.of(
            "numeric", List.of("+", "-", "*"),
            "boolean", List.of("=", "<>", "<", ">", "<=", ">="),
            "text", List.of("||"));

    private static final List<String> TYPES =
            List.of("smallint", "integer", "bigint", "numeric", "float8", "text", "varchar", "bpchar", "name");

    private static final List<String> FUNCTIONS = List.of(
            "nextval(oid)",
            "abs(oid)",
            "has_sequence_privilege(oid, text)",
            "pg_sequence_last_value(oid)",
            "generate_series(integer, bigint)",
            "generate_series(integer, numeric)");

    private static final List<String> AGGREGATES = List.of("max", "min");

    abstract Database freshDatabase();

    static List<SequenceTable> tables() {
        return List.of(
                SequenceTable.own(),
                SequenceTable.lastValue("plain_numeric", "n", "v"),
                SequenceTable.nextValue("plain_integer", "n", "v").with(d -> d.maxValue(1_000_000L)),
                SequenceTable.lastValue("plain_char", "n", "v"));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void none_is_called_by_whoever_draws(SequenceTable table) throws Exception {
        Database database = freshDatabase();
        prepare(database, table);
        setTraps(database, false);
        drawInEveryWay(database, table);
    }

    @ParameterizedTest
    @MethodSource("tables")
    void none_is_called_where_the_catalogue_comes_behind_the_schema(SequenceTable table) throws Exception {
        Database database = freshDatabase();
        prepare(database, table);
        setTraps(database, true);
        drawInEveryWay(database.option("options", "-c search_path=public,pg_catalog"), table);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void none_is_called_by_whoever_draws_from_the_servers_own_sequences(boolean behind) throws Exception {
        Database database = freshDatabase();
        setTraps(database, behind);
        Database there = behind ? database.option("options", "-c search_path=public,pg_catalog") : database;
        try (NativeSequences store = NativeSequences.open(there.dataSource());
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(SequenceDefinition.of("a"));
            assertThat(store.list()).hasSize(1);
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(1);
            assertThat(store.reserve("a", 5).block().first()).isGreaterThan(1);
            store.raise("a", 500);
            store.restart("a", 3);
            assertThat(store.describe("a").nextValue()).isEqualTo(3);
            assertThat(sequences.open("a", Allocation.async()).next()).isEqualTo(3);
            store.create(SequenceDefinition.of("b"));
            store.drop("b");
        }
    }

    @Test
    void the_key_of_the_table_is_used() throws Exception {
        Database database = freshDatabase();
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            database.execute(
                    "INSERT INTO seriatim_sequence (name, next_value, start_with, increment_by, min_value, max_value, cycle, cache,"
                            + " used_up, epoch) SELECT 'row ' || i, next_value, start_with, increment_by, min_value, max_value, cycle,"
                            + " cache, used_up, epoch FROM seriatim_sequence, generate_series(1, 20000) i",
                    "ANALYZE seriatim_sequence");
            store.reserve("a", 1);
            long scans = scans(database);
            for (int i = 0; i < 20; i++) {
                store.reserve("a", 1);
                store.describe("a");
                store.raise("a", 100 + i);
                store.<Long, RuntimeException>inTransaction(TransactionalSequence.of(store, "a")::next);
            }
            assertThat(scans(database)).isEqualTo(scans);
        }
    }

    private static long scans(Database database) throws Exception {
        Thread.sleep(1_500); // session statistics are reported once a second
        return database.number("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'seriatim_sequence'");
    }

    private static void prepare(Database database, SequenceTable table) throws SQLException {
        String name = table.table().equals("plain_char") ? "CHAR(30)" : "VARCHAR(30)";
        String number = table.table().equals("plain_integer") ? "INTEGER" : "NUMERIC";
        if (table.table().startsWith("plain")) {
            database.execute("CREATE TABLE " + table.table() + " (n " + name + " PRIMARY KEY, v " + number + ")");
        } else {
            try (JdbcStore store = JdbcStore.open(database.dataSource())) {
                store.install();
            }
        }
        database.execute("CREATE TABLE invoice (number NUMERIC, issued TIMESTAMP, code VARCHAR(9))");
    }

    private static void drawInEveryWay(Database database, SequenceTable table) throws Exception {
        try (JdbcStore store = JdbcStore.open(database.dataSource(), table);
                StoreSequences sequences = StoreSequences.of(store)) {
            store.create(SequenceDefinition.of("a").toBuilder()
                    .maxValue(table.template().max())
                    .build());
            assertThat(store.list()).hasSize(1);
            try (Sequence async = sequences.open("a", Allocation.async())) {
                assertThat(async.next()).isEqualTo(1);
            }
            TransactionalSequence<Connection> sync = TransactionalSequence.of(store, "a");
            long first = store.<Long, RuntimeException>inTransaction(sync::next);
            long second = store.<Long, RuntimeException>inTransaction(sync::next);
            assertThat(second).isGreaterThan(first);
            GroupedSequence<Connection> grouped = sequences.grouped("a", store);
            long third = grouped.<Long, RuntimeException>commit(Turn::next);
            assertThat(third).isGreaterThan(second);
            if (table.equals(SequenceTable.own())) {
                PooledSequence<Connection> pooled = sequences.pooled("a", store);
                long fourth = store.<Long, RuntimeException>inTransaction(pooled::next);
                long fifth = store.<Long, RuntimeException>inTransaction(pooled::next);
                assertThat(fifth).isEqualTo(fourth + 1);
                assertThat(store.poolState("a")).isPresent();
            }
            database.execute("INSERT INTO invoice VALUES (1, '2020-01-01', 'x'), (2, '2020-01-02', 'y')");
            assertThat(store.extreme(ColumnName.of("invoice", "number"), true)).hasValue(2);
            assertThat(store.extreme(ColumnName.of("invoice", "number"), false)).hasValue(1);
            assertThatThrownBy(() -> store.extreme(ColumnName.of("invoice", "code"), true))
                    .hasMessageNotContaining("trapped");
            store.scan(
                    "a",
                    new NumberColumn(
                            ColumnName.of("invoice", "number"),
                            Optional.of(ColumnName.of("invoice", "issued")),
                            OptionalLong.of(1)),
                    ColumnScanTest.Seen::new);
            store.raise("a", 5_000);
            store.restart("a", 10);
            assertThat(store.describe("a").nextValue()).isEqualTo(10);
            store.drop("a");
            assertThat(store.list()).isEmpty();
        }
    }

    /**
     * Creates an operator that raises an error for each operator and pair of types that the catalogue does not have;
     * and, if the catalogue comes after the schema, for those that it has.
     */
    private static void setTraps(Database database, boolean behind) throws SQLException {
        String attacker = "attacker_" + database.name();
        database.execute(
                "CREATE ROLE " + attacker + " LOGIN PASSWORD '" + PASSWORD + "'",
                "GRANT CREATE ON SCHEMA public TO " + attacker);
        List<String> statements = new ArrayList<>(List.of("BEGIN")); // a commit for each takes long
        OPERATORS.forEach((result, operators) -> {
            for (String left : TYPES) {
                for (String right : TYPES) {
                    String name = "trap_" + result;
                    String body =
                            "LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped by % and %', pg_catalog.pg_typeof($1),"
                                    + " pg_catalog.pg_typeof($2); END $$";
                    statements.add("CREATE FUNCTION public." + name + "(" + left + ", " + right + ") RETURNS " + result
                            + " " + body);
                    for (String operator : operators) {
                        statements.add("CREATE OPERATOR public." + operator + " (LEFTARG = " + left + ", RIGHTARG = "
                                + right + ", FUNCTION = public." + name + ")");
                    }
                }
            }
        });
        for (String function : FUNCTIONS) {
            statements.add(raising(function));
        }
        for (String left : List.of("oid", "regclass", "tid", "xid", "interval")) {
            for (String right : List.of("oid", "regclass", "tid", "xid", "interval")) {
                if (left.equals(right) && !behind) {
                    continue;
                }
                statements.add(raising("same(" + left + ", " + right + ")").replace("RETURNS text", "RETURNS boolean"));
                statements.add("CREATE OPERATOR public.= (LEFTARG = " + left + ", RIGHTARG = " + right
                        + ", FUNCTION = public.same)");
            }
        }
        statements.add(raising("grow(varchar, varchar)").replace("RETURNS text", "RETURNS varchar"));
        for (String aggregate : AGGREGATES) {
            statements.add("CREATE AGGREGATE public." + aggregate
                    + "(varchar) (SFUNC = public.grow, STYPE = varchar, INITCOND = '')");
        }
        if (behind) {
            for (String function :
                    List.of("current_schema()", "nextval(regclass)", "set_config(text, text, boolean)", "count()")) {
                statements.add(raising(function));
            }
            statements.add("CREATE DOMAIN public.text AS pg_catalog.text CHECK (VALUE = 'trapped')");
        }
        statements.add("COMMIT");
        database.as(attacker, PASSWORD).execute(statements.toArray(String[]::new));
        for (String careless : List.of("SELECT 1::numeric + 1::bigint", "SELECT 'a'::varchar = 'a'::varchar")) {
            assertThatThrownBy(() -> database.execute(careless)).as(careless).hasMessageContaining("trapped");
        }
    }

    private static String raising(String function) {
        return "CREATE FUNCTION public." + function
                + " RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'trapped'; END $$";
    }
}
