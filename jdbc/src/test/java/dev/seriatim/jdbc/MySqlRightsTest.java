// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.store.SequenceTable;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An administrator installs the functions; a user with all privileges on that database, and none elsewhere, tries to
 * run code with the administrator's privileges.
 */
@ParameterizedClass
@EnumSource(names = {"MARIADB", "MYSQL"})
class MySqlRightsTest {

    private static final String PASSWORD = "pass";

    private final SqlSpeaker speaker;
    private Database database;
    private String attacker = "";

    MySqlRightsTest(SqlSpeaker speaker) {
        this.speaker = speaker.installed();
    }

    @BeforeEach
    void open() throws SQLException {
        database = speaker.freshDatabase();
        String name = database.name();
        attacker = "att_" + name;
        database.execute(
                speaker.newUser(attacker, PASSWORD),
                "GRANT ALL ON " + name + ".* TO " + attacker,
                "CREATE TABLE caught (who VARCHAR(200))");
    }

    @Test
    void a_view_in_the_place_of_the_table_is_an_error_and_runs_nothing() throws SQLException {
        install(SequenceTable.own());
        database.execute("SELECT create_sequence('a', 1, 1)");
        attack(
                "RENAME TABLE seriatim_sequence TO moved",
                "CREATE FUNCTION evil() RETURNS BIGINT MODIFIES SQL DATA SQL SECURITY INVOKER"
                        + " BEGIN INSERT INTO caught VALUES (CURRENT_USER()); RETURN 1; END",
                "CREATE SQL SECURITY INVOKER VIEW seriatim_sequence AS SELECT * FROM moved WHERE evil() = 1");
        try (SqlSession sql = SqlSession.on(asAttacker())) {
            for (String call : new String[] {
                "next_val('a')",
                "next_val('b')",
                "last_val('a')",
                "set_val('a', 1)",
                "create_sequence('b', 1, 1)",
                speaker.create(SequenceDefinition.of("c")).substring("SELECT ".length()),
                "drop_sequence('a')"
            }) {
                assertThatThrownBy(() -> sql.ask("SELECT " + call)).as(call).hasMessageContaining("PRIMARY");
            }
        }
        onlyTheAttackerRan();
        assertThatThrownBy(() -> install(SequenceTable.own()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("seriatim_sequence is a view");
        // Proves that the check detects the fault.
        database.execute("SELECT * FROM seriatim_sequence");
        assertThat(database.number("SELECT COUNT(*) FROM caught WHERE who LIKE '" + database.user() + "@%'"))
                .isPositive();
    }

    @Test
    void a_function_in_the_place_of_one_of_ours_is_called_by_none_of_ours() throws SQLException {
        install(SequenceTable.own());
        if (speaker == SqlSpeaker.MYSQL) {
            // There, they may not even drop what an administrator created.
            assertThatThrownBy(() -> attack("DROP FUNCTION next_val")).hasMessageContaining("SYSTEM_USER");
            return;
        }
        attack(
                "DROP FUNCTION create_sequence_full",
                "CREATE FUNCTION create_sequence_full(p_name CHAR(10), a BIGINT, b BIGINT, c BIGINT, d BIGINT, e BIGINT,"
                        + " f BIGINT) RETURNS BIGINT MODIFIES SQL DATA SQL SECURITY INVOKER"
                        + " BEGIN INSERT INTO caught VALUES (CURRENT_USER()); RETURN 1; END");
        try (SqlSession sql = SqlSession.on(asAttacker())) {
            assertThat(sql.number("SELECT create_sequence('b', 7, 1)")).isEqualTo(7);
        }
        onlyTheAttackerRan();
    }

    @Test
    void a_trigger_runs_with_the_rights_of_who_made_it() throws SQLException {
        install(SequenceTable.own());
        attack("CREATE TRIGGER evil BEFORE UPDATE ON seriatim_sequence FOR EACH ROW"
                + " INSERT INTO caught VALUES (CURRENT_USER())");
        database.execute("SELECT create_sequence('a', 1, 1)", "SELECT next_val('a')");
        assertThat(database.number("SELECT COUNT(*) FROM caught")).isEqualTo(1);
        onlyTheAttackerRan();
    }

    @Test
    void a_function_that_another_user_put_there_first_is_refused() throws Exception {
        attack("CREATE FUNCTION last_val(p_name CHAR(10)) RETURNS BIGINT"
                + " COMMENT 'Seriatim, table seriatim_sequence: looks' RETURN 7");
        assertThatThrownBy(() -> install(SequenceTable.own()))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining(
                        "function last_val belongs to " + attacker + "@%, not to " + database.user() + "@%")
                .hasMessageContaining("DROP FUNCTION `last_val`")
                .hasMessageNotContaining("\n");
        try (JdbcStore store = JdbcStore.open(database.dataSource())) {
            if (speaker == SqlSpeaker.MARIADB) {
                assertThatThrownBy(() -> speaker.client(database).run(store.script()))
                        .hasMessageContaining("function last_val belongs to " + attacker);
                database.execute("DROP FUNCTION last_val");
            }
            speaker.client(database).run(store.script());
            store.install();
        }
        assertThat(database.number("SELECT COUNT(*) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE()"
                        + " AND DEFINER = CURRENT_USER()"))
                .isEqualTo(6);
    }

    @Test
    void a_plain_table_is_known_by_its_key_where_it_has_one() throws SQLException {
        database.execute("CREATE TABLE keyed (n VARCHAR(30) PRIMARY KEY, v BIGINT)");
        install(SequenceTable.lastValue("keyed", "n", "v"));
        database.execute("SELECT create_sequence('a', 1, 1)");
        attack("RENAME TABLE keyed TO moved", "CREATE VIEW keyed AS SELECT * FROM moved");
        assertThatThrownBy(() -> database.execute("SELECT next_val('a')")).hasMessageContaining("PRIMARY");
    }

    private void install(SequenceTable table) {
        try (JdbcStore store = JdbcStore.open(database.dataSource(), table)) {
            store.install();
        }
    }

    private Database asAttacker() {
        return database.as(attacker, PASSWORD);
    }

    private void attack(String... statements) throws SQLException {
        asAttacker().execute(statements);
    }

    private void onlyTheAttackerRan() throws SQLException {
        assertThat(database.number("SELECT COUNT(*) FROM caught WHERE who NOT LIKE 'att\\_%'"))
                .isZero();
    }
}
