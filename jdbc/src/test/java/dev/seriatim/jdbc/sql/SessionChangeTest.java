// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.mysql.MySqlDialect;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionChangeTest {

    private final SessionChange postgres = new SessionChange(new PostgresDialect(false));
    private final SessionChange mysql = new SessionChange(new MySqlDialect());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                " /* a */ -- b\n select 1;",
                "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
                "UPDATE t SET a = 1",
                "SAVEPOINT a",
                "ROLLBACK TO SAVEPOINT a",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "SET STATEMENT max_statement_time = 1, last_insert_id = LAST_INSERT_ID() FOR UPDATE t SET a = 1",
                ""
            })
    void a_statement_that_reads_or_writes_rows_leaves_nothing(String sql) {
        assertThat(postgres.isPossible(sql)).isFalse();
        assertThat(mysql.isPossible(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET a = 1",
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY",
                "BEGIN",
                "SELECT 1; SET ROLE a",
                "/*! SET sql_mode = '' */",
                "/* /* */ SELECT */ SET ROLE a",
                "-- who\rSET ROLE a",
                "SELECT pg_catalog.set_config('a', 'b', false)",
                "SELECT set_config('a', ?, ?)",
                "SELECT set_config('a.b', f(), true)",
                "UPDATE pg_settings SET setting = 'on' WHERE name = 'default_transaction_read_only'",
                "SELECT pg_try_advisory_lock(1)",
                "SELECT GET_LOCK('a', 1)",
                "SELECT @a := 1",
                "SELECT 1 INTO @a",
                "SELECT 1 INTO TEMP t",
                "SET STATEMENT a = 1 FOR SET sql_mode = ''",
                "CREATE TEMP TABLE t (n INT)",
                "CALL p()"
            })
    void anything_else_may_leave_something(String sql) {
        assertThat(postgres.isPossible(sql)).isTrue();
        assertThat(mysql.isPossible(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET LOCAL app.tenant = 'a'", "SELECT pg_catalog.set_config('app.tenant', ?, true)"})
    void what_ends_with_the_transaction_on_postgresql_lasts_elsewhere(String sql) {
        assertThat(postgres.isPossible(sql)).isFalse();
        assertThat(mysql.isPossible(sql)).isTrue();
    }

    @Test
    void a_variable_of_the_users_own_decides_about_no_draw() {
        assertThat(mysql.isPossible("SET @tenant = 'a'")).isFalse();
        assertThat(mysql.isPossible("SET @tenant = ?")).isFalse();
        assertThat(mysql.isPossible("SET @@sql_mode = ''")).isTrue();
        assertThat(mysql.isPossible("SET @a = 1, sql_mode = ''")).isTrue();
    }
}
