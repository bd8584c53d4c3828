// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static dev.seriatim.jdbc.SqlSpeaker.Refusal.DUPLICATE;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.NULL;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.UNKNOWN;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.USED_UP;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.WRONG;
import static dev.seriatim.jdbc.SqlSpeaker.Refusal.WRONG_ROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.servers.Database;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SqlFunctionsTest {

    private static final Map<SqlSpeaker, Database> DATABASES = new EnumMap<>(SqlSpeaker.class);

    private final SqlSpeaker speaker;
    private Database database;
    private SqlSession sql;
    private JdbcStore store;

    SqlFunctionsTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    /**
     * Opens one database per engine for the tests that do not change the functions; each test has its own sequences.
     */
    @BeforeEach
    void open() throws SQLException {
        if (!DATABASES.containsKey(speaker)) {
            DATABASES.put(speaker, speaker.freshDatabase());
        }
        database = Objects.requireNonNull(DATABASES.get(speaker));
        sql = SqlSession.on(database);
        store = JdbcStore.open(database.dataSource());
        store.install();
    }

    /** Opens a separate database for the test, without the functions. */
    private void openFresh() throws SQLException {
        close();
        database = speaker.freshDatabase();
        sql = SqlSession.on(database);
        store = JdbcStore.open(database.dataSource());
    }

    @AfterEach
    void close() throws SQLException {
        store.close();
        sql.close();
    }

    @Test
    void what_SQL_creates_is_what_the_library_describes() throws SQLException {
        SequenceDefinition whole = SequenceDefinition.named("it's whole")
                .startWith(5L)
                .incrementBy(-7)
                .minValue(-100L)
                .maxValue(50L)
                .cycle(true)
                .cache(12)
                .build();
        long before = System.currentTimeMillis();
        assertThat(sql.number(speaker.create(whole))).isEqualTo(5);
        SequenceState state = store.describe("it's whole");
        assertThat(state.definition()).isEqualTo(whole);
        assertThat(state.nextValue()).isEqualTo(5);
        assertThat(state.usedUp()).isFalse();
        assertThat(state.epoch()).isBetween(before - 1, System.currentTimeMillis());
    }

    @Test
    void defaults_are_those_of_the_library() throws SQLException {
        sql.run("SELECT create_sequence('up', NULL, NULL)");
        sql.run("SELECT create_sequence('down', NULL, -3)");
        sql.run("SELECT create_sequence('from ten', 10, 1)");
        assertThat(store.describe("up").definition()).isEqualTo(SequenceDefinition.of("up"));
        assertThat(store.describe("down").definition())
                .isEqualTo(SequenceDefinition.named("down").incrementBy(-3).build());
        assertThat(store.describe("from ten").definition())
                .isEqualTo(SequenceDefinition.named("from ten").startWith(10L).build());
    }

    @Test
    void a_wrong_definition_is_refused_with_the_reason() throws SQLException {
        SequenceDefinition good = SequenceDefinition.of("wrong");
        Map<String, String> reasons = Map.of(
                "SELECT create_sequence('wrong', 1, 0)",
                "increment must not be 0",
                "SELECT create_sequence('wrong', 0, 1)",
                "start 0 is outside its bounds 1 to 9223372036854775807",
                "SELECT create_sequence('wrong', 0, -1)",
                "start 0 is outside its bounds -9223372036854775808 to -1",
                "SELECT create_sequence('', 1, 1)",
                "1 to 64 characters",
                "SELECT create_sequence(NULL, 1, 1)",
                "1 to 64 characters",
                "SELECT create_sequence('" + "ü".repeat(65) + "', 1, 1)",
                "1 to 64 characters",
                speaker.create(good).replace(String.valueOf(Long.MAX_VALUE), "-5"),
                "min value 1 is above max value -5",
                speaker.create(good).replace("100)", "0)"),
                "cache must be at least 1, not 0");
        for (Map.Entry<String, String> reason : reasons.entrySet()) {
            speaker.refuses(WRONG, () -> sql.ask(reason.getKey())).hasMessageContaining(reason.getValue());
        }
        assertThatThrownBy(() -> store.describe("wrong")).isInstanceOf(NotFound.class);
    }

    @Test
    void the_longest_name_and_any_text_will_do() throws SQLException {
        for (String name : List.of("ü".repeat(64), "a\"b`c\\d'e{table}", "trailing ", "trailing", "Case", "case")) {
            sql.run("SELECT create_sequence(" + literal(name) + ", 1, 1)");
            assertThat(store.reserve(name, 1).block().first()).isEqualTo(1);
            assertThat(sql.number("SELECT next_val(" + literal(name) + ")")).isEqualTo(2);
        }
    }

    private String literal(String name) {
        // In MariaDB's and MySQL's default mode, a backslash in a literal must be doubled.
        return SqlSpeaker.text(speaker == SqlSpeaker.POSTGRESQL ? name : name.replace("\\", "\\\\"));
    }

    @Test
    void an_unknown_name_is_an_error_that_names_the_sequence_and_the_table() throws SQLException {
        for (String call : List.of(
                "next_val('nobody')", "last_val('nobody')", "set_val('nobody', 1)", "drop_sequence('nobody')")) {
            speaker.refuses(UNKNOWN, () -> sql.ask("SELECT " + call))
                    .hasMessageContaining("sequence 'nobody' not found in table seriatim_sequence");
        }
        for (String call : List.of(
                "next_val(NULL)",
                "last_val(NULL)",
                "set_val(NULL, 1)",
                "set_val('nobody', NULL)",
                "drop_sequence(NULL)")) {
            speaker.refuses(NULL, () -> sql.ask("SELECT " + call)).hasMessageContaining("must not be NULL");
        }
        // Too long for any sequence name, and must not be truncated to an existing name.
        speaker.refuses(UNKNOWN, () -> sql.ask("SELECT next_val('" + "ü".repeat(200) + "')"));
    }

    @Test
    void a_duplicate_is_an_error_and_leaves_the_sequence_as_it_is() throws SQLException {
        store.create(SequenceDefinition.of("twice"));
        store.reserve("twice", 41);
        speaker.refuses(DUPLICATE, () -> sql.ask("SELECT create_sequence('twice', 1, 1)"))
                .hasMessageContaining("sequence 'twice' already exists in table seriatim_sequence");
        assertThat(sql.nextVal("twice")).isEqualTo(42);
    }

    @Test
    void a_used_up_sequence_is_an_error_until_it_has_room_again() throws SQLException {
        sql.run(speaker.create(SequenceDefinition.named("short").maxValue(2L).build()));
        assertThat(sql.nextVal("short")).isEqualTo(1);
        assertThat(sql.nextVal("short")).isEqualTo(2);
        SequenceState usedUp = store.describe("short");
        speaker.refuses(USED_UP, () -> sql.nextVal("short")).hasMessageContaining("sequence 'short' is used up at 2");
        assertThat(store.describe("short")).isEqualTo(usedUp);
        assertThat(sql.lastVal("short")).isEqualTo(2);

        store.alter("short", definition -> definition.toBuilder().maxValue(3L).build());
        assertThat(sql.nextVal("short")).isEqualTo(3);
    }

    @Test
    void a_row_that_contradicts_itself_is_refused() throws SQLException {
        for (String wrong :
                List.of("increment_by = 0", "next_value = 0", "min_value = 7", "used_up = 1, next_value = -3")) {
            sql.run("SELECT create_sequence('odd', 1, 1)");
            sql.run("UPDATE seriatim_sequence SET " + wrong + " WHERE name = 'odd'");
            speaker.refuses(WRONG_ROW, () -> sql.nextVal("odd")).hasMessageContaining("contradicts itself");
            sql.run("SELECT drop_sequence('odd')");
        }
    }

    @Test
    void setting_a_value_makes_it_the_last_one_in_a_new_epoch() throws SQLException {
        sql.run("SELECT create_sequence('set', 1, 1)");
        assertThat(sql.lastVal("set")).isNull();
        long epoch = store.describe("set").epoch();
        assertThat(sql.setVal("set", 41)).isEqualTo(41);
        assertThat(store.describe("set").epoch()).isEqualTo(epoch + 1);
        assertThat(sql.lastVal("set")).isEqualTo(41);
        assertThat(sql.nextVal("set")).isEqualTo(42);
        // One before the first value restarts it.
        sql.setVal("set", 0);
        assertThat(sql.lastVal("set")).isNull();
        assertThat(store.reserve("set", 1).block().first()).isEqualTo(1);
        sql.setVal("set", Long.MAX_VALUE);
        speaker.refuses(USED_UP, () -> sql.nextVal("set"));
        assertThat(sql.lastVal("set")).isEqualTo(Long.MAX_VALUE);
        speaker.refuses(WRONG, () -> sql.setVal("set", -1)).hasMessageContaining("-1 is outside its bounds 1 to");
    }

    @Test
    void looking_waits_for_no_draw() throws SQLException {
        sql.run("SELECT create_sequence('looked', 1, 1)");
        sql.nextVal("looked");
        try (SqlSession other = SqlSession.on(database)) {
            other.connection().setAutoCommit(false);
            other.nextVal("looked");
            for (int level :
                    new int[] {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ}) {
                sql.connection().setTransactionIsolation(level);
                sql.connection().setAutoCommit(false);
                assertThat(sql.lastVal("looked")).isEqualTo(1);
                sql.connection().rollback();
                sql.connection().setAutoCommit(true);
            }
            // In a transaction at this level, every read on MariaDB and MySQL takes a lock.
            sql.connection().setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(sql.lastVal("looked")).as("alone").isEqualTo(1);
            other.connection().rollback();
        }
    }

    @Test
    void what_is_dropped_is_gone_and_its_name_free_in_a_later_epoch() throws Exception {
        sql.run("SELECT create_sequence('dropped', 1, 1)");
        long epoch = store.describe("dropped").epoch();
        assertThat(sql.number("SELECT drop_sequence('dropped')")).isEqualTo(1);
        assertThatThrownBy(() -> store.reserve("dropped", 1)).isInstanceOf(NotFound.class);
        Thread.sleep(2);
        sql.run("SELECT create_sequence('dropped', 1, 1)");
        assertThat(store.describe("dropped").epoch()).isGreaterThan(epoch);
    }

    @Test
    void many_values_can_be_drawn_by_one_statement() throws SQLException {
        sql.run("SELECT create_sequence('many', 1, 1)");
        sql.run("CREATE TABLE IF NOT EXISTS source (n BIGINT PRIMARY KEY)");
        sql.run("DELETE FROM source");
        sql.run("INSERT INTO source VALUES (1), (2), (3), (4), (5)");
        sql.run("CREATE TABLE IF NOT EXISTS target (n BIGINT PRIMARY KEY)");
        sql.run("DELETE FROM target");
        sql.run("INSERT INTO target SELECT next_val('many') FROM source");
        assertThat(sql.number("SELECT COUNT(*) FROM target WHERE n BETWEEN 1 AND 5"))
                .isEqualTo(5);
    }

    @Test
    void a_key_that_the_database_generates_is_not_mistaken_for_a_value_drawn() throws SQLException {
        sql.run("SELECT create_sequence('beside', 1000, 1)");
        sql.run("CREATE TABLE keyed (id BIGINT "
                + (speaker == SqlSpeaker.POSTGRESQL ? "GENERATED ALWAYS AS IDENTITY" : "AUTO_INCREMENT")
                + " PRIMARY KEY, n BIGINT)");
        try (PreparedStatement insert = sql.connection()
                .prepareStatement("INSERT INTO keyed (n) VALUES (next_val('beside'))", new String[] {"id"})) {
            insert.executeUpdate();
            ResultSet key = insert.getGeneratedKeys();
            assertThat(key.next()).isTrue();
            assertThat(key.getLong(1)).isEqualTo(1);
        }
        assertThat(sql.number("SELECT n FROM keyed")).isEqualTo(1000);
    }

    @Test
    void installing_again_keeps_sequences_grants_and_the_session() throws SQLException {
        openFresh();
        store.install();
        String user = "again_" + database.name();
        sql.run(speaker.newUser(user, "pass"));
        sql.run("GRANT EXECUTE ON FUNCTION next_val" + (speaker == SqlSpeaker.POSTGRESQL ? "(text)" : "") + " TO "
                + user);
        sql.run("SELECT create_sequence('kept', 1, 1)");
        sql.nextVal("kept");
        List<String> before = routines();

        store.install();

        assertThat(routines()).isEqualTo(before).hasSizeGreaterThanOrEqualTo(5);
        try (SqlSession other = SqlSession.on(database.as(user, "pass"))) {
            assertThat(other.nextVal("kept")).isEqualTo(2);
        }
    }

    @Test
    void functions_of_somebody_else_are_left_alone() throws SQLException {
        openFresh();
        sql.run(
                speaker == SqlSpeaker.POSTGRESQL
                        ? "CREATE FUNCTION last_val(name text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'"
                        : "CREATE FUNCTION last_val(name CHAR(10)) RETURNS BIGINT RETURN 7");
        assertThatThrownBy(store::install)
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("function last_val")
                .hasMessageContaining("is not Seriatim's function on table seriatim_sequence; drop it first");
        assertThat(sql.lastVal("x")).isEqualTo(7);
        assertThat(routines()).hasSize(1);
    }

    @Test
    void functions_over_another_table_are_left_alone() throws SQLException {
        openFresh();
        store.install();
        try (JdbcStore other = JdbcStore.open(database.dataSource(), SequenceTable.own("other"))) {
            assertThatThrownBy(other::install)
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("not Seriatim's function on table other");
        }
        sql.run("SELECT create_sequence('here', 1, 1)");
        assertThat(store.describe("here").nextValue()).isEqualTo(1);
    }

    @Test
    void creating_a_sequence_creates_the_table_but_no_functions() throws SQLException {
        openFresh();
        store.create(SequenceDefinition.of("first"));
        assertThat(routines()).isEmpty();
    }

    @Test
    void what_is_printed_can_be_typed_into_the_client_twice_and_does_the_same() throws Exception {
        openFresh();
        String script = store.script();
        assertThat(script.chars())
                .as("plain ASCII, whatever the client's character set")
                .allMatch(c -> c < 128);
        speaker.client(database).run(script);
        speaker.client(database).run(script);
        List<String> typed = routines();
        String printed =
                speaker.client(database).run("SELECT create_sequence('typed', 7, 1);\nSELECT next_val('typed');\n");
        assertThat(printed.lines()).containsExactly("7", "7");
        assertThat(store.reserve("typed", 1).block().first()).isEqualTo(8);

        store.install();
        assertThat(routines()).isEqualTo(typed).hasSizeGreaterThanOrEqualTo(5);
    }

    /** Returns everything about the installed functions except comments in their bodies, which the client omits. */
    private List<String> routines() throws SQLException {
        List<String> routines = sql.texts(
                speaker == SqlSpeaker.POSTGRESQL
                        ? "SELECT pg_get_functiondef(oid) || obj_description(oid) || proacl::text FROM pg_proc"
                                + " WHERE pronamespace = 'public'::regnamespace ORDER BY proname"
                        : "SELECT CONCAT_WS('; ', ROUTINE_NAME, ROUTINE_DEFINITION, ROUTINE_COMMENT, SQL_MODE, SECURITY_TYPE)"
                                + " FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()"
                                + " ORDER BY ROUTINE_NAME");
        return routines.stream()
                .map(text -> text.replaceAll("-- .*", "").replaceAll("\\s+", " "))
                .toList();
    }
}
