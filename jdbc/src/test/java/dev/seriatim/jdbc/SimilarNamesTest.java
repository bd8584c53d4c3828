// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.SequenceTable;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables in which the engine takes different names for equal: none of them is drawn from in place of another. */
class SimilarNamesTest {

    private static final SequenceTable PLAIN = SequenceTable.lastValue("counters", "name", "last_val");

    private static void assertRefused(ThrowingCallable call, String asked, String stored) {
        assertThatThrownBy(call)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContaining("'" + asked + "'")
                .hasMessageContaining("'" + stored + "'")
                .hasMessageContaining("counters");
    }

    private static Database adopted(Engine engine, String type) throws SQLException {
        Database database = engine.freshDatabase();
        if (engine == Engine.POSTGRESQL) {
            database.execute(
                    "CREATE COLLATION alike (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
        }
        database.execute(
                "CREATE TABLE " + quoted(engine, "counters") + " (" + quoted(engine, "name") + " " + type
                        + " NOT NULL PRIMARY KEY, " + quoted(engine, "last_val") + " BIGINT NOT NULL)",
                "INSERT INTO " + quoted(engine, "counters") + " VALUES ('a', 41)");
        return database;
    }

    private static String quoted(Engine engine, String identifier) {
        return engine == Engine.H2 ? '"' + identifier + '"' : identifier;
    }

    @ParameterizedTest
    @CsvSource({
        "MARIADB, VARCHAR(64) COLLATE utf8mb4_general_ci",
        "MYSQL, VARCHAR(64) COLLATE utf8mb4_0900_ai_ci",
        "SQLITE, TEXT COLLATE NOCASE",
        "H2, VARCHAR_IGNORECASE(64)",
        "POSTGRESQL, VARCHAR(64) COLLATE alike",
    })
    void the_row_of_another_name_is_not_drawn_from(Engine engine, String type) throws SQLException {
        Database database = adopted(engine, type);
        try (JdbcStore store = JdbcStore.open(database.dataSource(), PLAIN)) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(42);
            assertRefused(() -> store.reserve("A", 1), "A", "a");
            assertRefused(() -> store.describe("A"), "A", "a");
            assertRefused(() -> store.raise("A", 100), "A", "a");
            assertRefused(() -> store.restart("A", 100), "A", "a");
            assertRefused(() -> store.create(SequenceDefinition.of("A")), "A", "a");
            assertRefused(() -> store.drop("A"), "A", "a");
            assertRefused(() -> store.<Object, RuntimeException>inTransaction(t -> store.reserve(t, "A", 1)), "A", "a");
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(43);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MARIADB, VARCHAR(64) COLLATE utf8mb4_general_ci",
        "MYSQL, VARCHAR(64) COLLATE utf8mb4_0900_ai_ci",
        "SQLITE, TEXT COLLATE NOCASE",
        "H2, VARCHAR_IGNORECASE(64)",
        "POSTGRESQL, VARCHAR(64) COLLATE alike",
    })
    void a_row_that_took_the_place_of_one_seen_before_is_not_drawn_from(Engine engine, String type)
            throws SQLException {
        Database database = adopted(engine, type);
        try (JdbcStore store = JdbcStore.open(database.dataSource(), PLAIN)) {
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(42);
            assertThat(store.reserve("a", 1).block().first()).isEqualTo(43);
            database.execute("DELETE FROM " + quoted(engine, "counters"));
            database.execute("INSERT INTO " + quoted(engine, "counters") + " VALUES ('A', 41)");
            assertRefused(() -> store.reserve("a", 1), "a", "A");
            assertThat(store.reserve("A", 1).block().first()).isEqualTo(42);
        }
    }

    @ParameterizedTest
    @CsvSource({"MARIADB, utf8mb4_bin", "MARIADB, utf8mb4_general_ci", "MARIADB, latin1_swedish_ci"})
    void blanks_at_the_end_and_accents_make_another_name(Engine engine, String collation) throws SQLException {
        Database database = adopted(
                engine,
                "VARCHAR(64) CHARACTER SET " + collation.substring(0, collation.indexOf('_')) + " COLLATE "
                        + collation);
        try (JdbcStore store = JdbcStore.open(database.dataSource(), PLAIN)) {
            assertRefused(() -> store.reserve("a ", 1), "a ", "a");
            if (collation.equals("utf8mb4_general_ci")) {
                assertRefused(() -> store.reserve("\u00e1", 1), "\u00e1", "a");
            } else {
                assertThatThrownBy(() -> store.reserve("\u00e9", 1)).isInstanceOf(SequenceException.NotFound.class);
            }
            store.create(SequenceDefinition.of("\u00fcber"));
            assertThat(store.reserve("\u00fcber", 1).block().first()).isEqualTo(1);
            assertThat(store.reserve("\u00fcber", 1).block().first()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MARIADB, VARCHAR(64) COLLATE utf8mb4_general_ci",
        "MYSQL, VARCHAR(64) COLLATE utf8mb4_0900_ai_ci",
        "POSTGRESQL, VARCHAR(64) COLLATE alike",
    })
    void the_functions_in_sql_do_not_draw_from_the_row_of_another_name(Engine engine, String type) throws Exception {
        engine.assume();
        Database database = adopted(engine, type);
        try (JdbcStore store = JdbcStore.open(database.dataSource(), PLAIN)) {
            store.install();
        }
        try (SqlSession sql = SqlSession.on(database)) {
            assertThat(sql.nextVal("a")).isEqualTo(42);
            for (String refused : List.of("next_val('A')", "last_val('A')", "set_val('A', 7)", "drop_sequence('A')")) {
                assertThatThrownBy(() -> sql.ask("SELECT " + refused))
                        .as(refused)
                        .hasMessageContaining("sequence 'A' not found");
            }
            assertThatThrownBy(() -> sql.ask("SELECT create_sequence('A', NULL, NULL)"))
                    .hasMessageContaining("already exists");
            assertThat(sql.lastVal("a")).isEqualTo(42);
            assertThat(sql.setVal("a", 50)).isEqualTo(50);
            assertThat(sql.nextVal("a")).isEqualTo(51);
            assertThat(sql.number("SELECT drop_sequence('a')")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void a_column_of_a_fixed_width_is_read_without_its_padding(Engine engine) throws SQLException {
        Database database = adopted(engine, "CHAR(10)");
        try (JdbcStore store = JdbcStore.open(database.dataSource(), PLAIN)) {
            for (long expected = 42; expected < 45; expected++) {
                assertThat(store.reserve("a", 1).block().first()).isEqualTo(expected);
            }
            assertThat(store.list())
                    .extracting(state -> state.definition().name())
                    .containsExactly("a");
        }
    }

    @Test
    void a_table_of_our_own_tells_names_apart_where_the_database_would_not() throws SQLException {
        Database database = Engine.H2.freshDatabase();
        database.execute("SET IGNORECASE TRUE");
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            store.create(SequenceDefinition.of("A"));
            assertThat(store.reserve("a", 5).block().last()).isEqualTo(5);
            assertThat(store.reserve("A", 1).block().first()).isEqualTo(1);
        }
    }
}
