// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.SequenceState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scans columns of real databases. Identifiers are quoted, so that no engine changes their case. */
class ColumnScanTest {

    private static final NumberColumn NUMBERS =
            new NumberColumn(ColumnName.of("invoice", "number"), Optional.empty(), OptionalLong.empty());
    private static final NumberColumn IN_TIME = new NumberColumn(
            ColumnName.of("invoice", "number"), Optional.of(ColumnName.of("invoice", "made")), OptionalLong.empty());

    static final class Seen implements ColumnScanner.Visitor {
        private final SequenceState state;
        private final List<Long> numbers = new ArrayList<>();
        private final List<String> inTime = new ArrayList<>();
        private long withoutNumber = -1;

        Seen(SequenceState state) {
            this.state = state;
        }

        @Override
        public void withoutNumber(long rows) {
            assertThat(numbers).isEmpty();
            withoutNumber = rows;
        }

        @Override
        public void number(long number) {
            assertThat(inTime).isEmpty();
            numbers.add(number);
        }

        @Override
        public void inTime(long number, Supplier<String> time) {
            inTime.add(number + " at " + time.get().substring(11, 16));
        }
    }

    private static Database database(Engine engine, String... values) throws SQLException {
        Database database = engine.freshDatabase();
        create(database, engine, "BIGINT");
        for (String value : values) {
            execute(database, engine, "INSERT INTO `invoice` VALUES (" + value + ")");
        }
        return database;
    }

    private static void create(Database database, Engine engine, String type) throws SQLException {
        String time = engine == Engine.SQLITE ? "TEXT" : "TIMESTAMP NULL";
        execute(database, engine, "CREATE TABLE `invoice` (`number` " + type + ", `made` " + time + ")");
    }

    private static void execute(Database database, Engine engine, String sql) throws SQLException {
        boolean standard = engine == Engine.H2 || engine == Engine.POSTGRESQL;
        database.execute(standard ? sql.replace('`', '"') : sql);
    }

    private static String at(String time) {
        return "'2024-01-01 " + time + ":00'";
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void shows_numbers_in_their_order_and_in_that_of_their_times(Engine engine) throws SQLException {
        Database database = database(
                engine,
                "3, " + at("10:02"),
                "1, " + at("10:01"),
                "NULL, " + at("10:00"),
                "7, NULL",
                "2, " + at("10:02"),
                "2, " + at("10:00"));
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            Seen seen = store.scan("a", IN_TIME, Seen::new);
            assertThat(seen.state).isEqualTo(store.describe("a"));
            assertThat(seen.withoutNumber).isEqualTo(1);
            assertThat(seen.numbers).containsExactly(1L, 2L, 2L, 3L, 7L);
            assertThat(seen.inTime).containsExactly("2 at 10:00", "1 at 10:01", "2 at 10:02", "3 at 10:02");
            assertThat(store.scan("a", NUMBERS, Seen::new).inTime).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void follows_a_sequence_that_counts_down_and_begins_where_it_is_told_to(Engine engine) throws SQLException {
        Database database = database(engine, "3, " + at("10:02"), "1, " + at("10:02"), "2, " + at("10:01"));
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.named("down").incrementBy(-1).build());
            store.create(SequenceDefinition.of("up"));
            assertThat(store.scan("down", IN_TIME, Seen::new).numbers).containsExactly(3L, 2L, 1L);
            assertThat(store.scan("down", IN_TIME, Seen::new).inTime)
                    .containsExactly("2 at 10:01", "3 at 10:02", "1 at 10:02");
            NumberColumn fromTwo = new NumberColumn(
                    ColumnName.of("invoice", "number"),
                    Optional.of(ColumnName.of("invoice", "made")),
                    OptionalLong.of(2));
            assertThat(store.scan("down", fromTwo, Seen::new).inTime).containsExactly("2 at 10:01", "1 at 10:02");
            assertThat(store.scan("up", fromTwo, Seen::new).numbers).containsExactly(2L, 3L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void shows_one_moment_whatever_happens_meanwhile(Engine engine) throws SQLException {
        Database database = database(engine, "1, " + at("10:00"));
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            store.reserve("a", 1);
            Seen seen = store.scan("a", IN_TIME, state -> {
                drawAndInsert(store, database, engine);
                return new Seen(state);
            });
            assertThat(seen.state.nextValue()).isEqualTo(2);
            assertThat(seen.numbers).containsExactly(1L);
            assertThat(seen.inTime).hasSize(1);
            assertThat(store.scan("a", IN_TIME, Seen::new).numbers).containsExactly(1L, 2L);
        }
    }

    private static void drawAndInsert(JdbcStore store, Database database, Engine engine) {
        try {
            long number = store.reserve("a", 1).block().first();
            execute(database, engine, "INSERT INTO `invoice` VALUES (" + number + ", " + at("10:01") + ")");
        } catch (SQLException e) {
            throw new AssertionError("a scan kept a writer waiting", e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void takes_whole_numbers_of_any_type_and_nothing_else(Engine engine) throws SQLException {
        for (String type : List.of("SMALLINT", "INTEGER", "BIGINT", "DECIMAL(20, 0)", "DECIMAL(30, 2)")) {
            assertThat(numbers(engine, type, "-1", "7")).containsExactly(-1L, 7L);
        }
        assertThat(numbers(engine, "BIGINT", "-9223372036854775808", "9223372036854775807"))
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
        refused(engine, "DECIMAL(20, 0)", "9223372036854775808", "'9223372036854775808'");
        refused(engine, "DECIMAL(20, 2)", "1.5", "'1.50'");
        refused(engine, "DOUBLE PRECISION", "1", "'1.0'");
        refused(engine, "VARCHAR(9)", "'1'", "'1'");
    }

    private static List<Long> numbers(Engine engine, String type, String... values) throws SQLException {
        Database database = engine.freshDatabase();
        create(database, engine, type);
        for (String value : values) {
            execute(database, engine, "INSERT INTO `invoice` VALUES (" + value + ", NULL)");
        }
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            store.create(SequenceDefinition.of("a"));
            return store.scan("a", NUMBERS, Seen::new).numbers;
        }
    }

    private static void refused(Engine engine, String type, String value, String shown) {
        assertThatThrownBy(() -> numbers(engine, type, value))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("column 'number' of table 'invoice' holds " + shown)
                .hasMessageContaining("name a column of integers");
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "H2", "POSTGRESQL", "MARIADB"})
    void says_what_is_missing_before_it_shows_anything(Engine engine) throws SQLException {
        Database database = database(engine);
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            assertThatThrownBy(() -> store.scan("a", NUMBERS, Seen::new)).isInstanceOf(NotFound.class);
            store.create(SequenceDefinition.of("a"));
            assertThatThrownBy(() -> store.scan("b", NUMBERS, Seen::new)).isInstanceOf(NotFound.class);
            refused(store, "none", "number", Optional.empty(), "has no table 'none'");
            refused(store, "invoice", "none", Optional.empty(), "no column 'none'");
            refused(store, "invoice", "number", Optional.of("none"), "no column 'none'");
            refused(store, "invoice", "num ber", Optional.empty(), "no column 'num ber'");
        }
    }

    private static void refused(JdbcStore store, String table, String column, Optional<String> time, String why) {
        NumberColumn missing = new NumberColumn(
                ColumnName.of(table, column), time.map(at -> ColumnName.of(table, at)), OptionalLong.empty());
        assertThatThrownBy(() -> store.scan("a", missing, state -> {
                    throw new AssertionError("it was shown");
                }))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining(why);
    }
}
