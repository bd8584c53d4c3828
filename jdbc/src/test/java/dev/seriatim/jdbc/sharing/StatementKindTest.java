// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.seriatim.jdbc.h2.H2Dialect;
import dev.seriatim.jdbc.mysql.MariaDbDialect;
import dev.seriatim.jdbc.mysql.MySqlDialect;
import dev.seriatim.jdbc.postgres.PostgresDialect;
import dev.seriatim.jdbc.sqlserver.SqlServerDialect;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a text can do to its transaction. */
class StatementKindTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "insert into t values (1)",
                "Update t SET n = 1 ;  ",
                "DELETE FROM t",
                "MERGE INTO t",
                "REPLACE INTO t",
                "WITH x AS (SELECT 1) SELECT * FROM x",
                "VALUES (1)",
                "  \t\n SELECT 1",
                "/* who */SELECT 1",
                "/*/ who */ SELECT 1",
                "-- who\nSELECT 1",
                "-- who\r\nSELECT 1",
                "-- who\n-- why\n/* what */\nSELECT 1",
                "select",
            })
    void one_that_reads_or_writes_rows_cannot_end_it(String sql) {
        assertThat(StatementKind.of(sql, new H2Dialect())).isEqualTo(StatementKind.PLAIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "-- nothing",
                "-- SELECT 1",
                "  /* open",
                "/*",
                "--",
                "COMMIT",
                "ROLLBACK",
                "ROLLBACK WORK",
                "CALL f()",
                "{call f()}",
                "(SELECT 1)",
                "CREATE TABLE t (n INT)",
                "selected",
                "SELECT 1; COMMIT",
                "SELECT 1;;",
                "/*! SELECT 1 */",
                "/*M! SELECT 1 */",
                "SAVEPOINT here",
                "RELEASE here",
                "ROLLBACK TOGETHER",
                "ROLLBACK; DROP TABLE to",
                "/* /* */ SELECT 1 */ COMMIT",
                "/* /* */ */ SELECT 1",
                "-- who\rCOMMIT;\nSELECT 1",
                "-- who\rCOMMIT",
                "# who\nSELECT 1",
                "// who\nSELECT 1",
            })
    void anything_else_may_end_it(String sql) {
        assertThat(StatementKind.of(sql, new H2Dialect())).isEqualTo(StatementKind.OTHER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET LOCAL app.tenant = 'x'",
                "CALL f()",
                "{call f()}",
                "DO 'BEGIN PERFORM 1; PERFORM 2'",
                "SAVEPOINT here",
                "RELEASE here",
                "SELECT 1; SELECT 2",
                "CREATE TABLE ending (prepared INT)",
                "-- who\nSET LOCAL app.tenant = 'x'",
                "",
            })
    void on_postgresql_all_but_a_few_commands_keep_it_open(String sql) {
        assertThat(StatementKind.of(sql, new PostgresDialect(false))).isEqualTo(StatementKind.KEEPS_OPEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                " ;commit work",
                "END",
                "Abort",
                "ROLLBACK",
                "PREPARE TRANSACTION 'x'",
                "SET LOCAL a.b = 'x';\n\tCOMMIT",
                "/* now */ COMMIT",
                "SELECT 1;/**/COMMIT",
                "SELECT 1; -- now\nEND;",
                "/* /* */ */ COMMIT",
                "-- who\rCOMMIT",
                "{commit}",
                "SELECT E'\\'; COMMIT; --'",
                "SELECT '; COMMIT",
                "DO 'BEGIN NULL; END'",
            })
    void on_postgresql_these_may_end_it(String sql) {
        assertThat(StatementKind.of(sql, new PostgresDialect(false))).isEqualTo(StatementKind.OTHER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET @a = 1",
                "set @a := (SELECT 1), @b = 2 ;",
                "SET SESSION sql_mode = ''",
                "SET @@session.sql_mode = ''",
                "SET time_zone='+00:00'",
                "SET NAMES utf8mb4",
                "/* who */ SHOW TABLES",
                "EXPLAIN SELECT 1",
                "DESC t",
                "DO f()",
                "USE other",
                "SAVEPOINT here",
                "RELEASE SAVEPOINT here",
            })
    void on_mariadb_and_mysql_these_keep_it_open(String sql) {
        assertThat(StatementKind.of(sql, new MySqlDialect())).isEqualTo(StatementKind.KEEPS_OPEN);
        assertThat(StatementKind.of(sql, new MariaDbDialect(true, true, true, true)))
                .isEqualTo(StatementKind.KEEPS_OPEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET autocommit = 1",
                "SET @@AUTOCOMMIT = 1",
                "SET @a = 1, `autocommit` = ON",
                "SET @a = 1 /*! , autocommit = 1 */",
                "SET @a = 1; COMMIT",
                "SET PASSWORD = 'x'",
                "SET STATEMENT sql_mode = '' FOR COMMIT",
                "SET GLOBAL read_only = 1",
                "SET @@global.read_only = 1",
                "SET @a = 1, PERSIST read_only = 1",
                "SET DEFAULT ROLE x",
                "SET TRANSACTION READ ONLY",
                "/*! SET autocommit = 1 */",
                "SHOW TABLES; COMMIT",
                "ANALYZE TABLE t",
                "CALL f()",
                "CREATE TEMPORARY TABLE t (n INT)",
                "LOCK TABLES t WRITE",
                "BEGIN",
                "XA END 'x'",
                "EXECUTE s",
                "showed",
                "",
            })
    void on_mariadb_and_mysql_any_other_may_end_it(String sql) {
        assertThat(StatementKind.of(sql, new MySqlDialect())).isEqualTo(StatementKind.OTHER);
        assertThat(StatementKind.of(sql, new MariaDbDialect(true, true, true, true)))
                .isEqualTo(StatementKind.OTHER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ROLLBACK TO here",
                "rollback to savepoint here",
                "ROLLBACK WORK TO here",
                "Rollback  transaction\nTO here",
                "ROLLBACK\u001fTO here",
                "ROLLBACK\u00a0work\u00a0TO\u001fSAVEPOINT here",
                "ROLLBACK\ufeffTO here",
                "ROLLBACK/* so far */TO here",
                "SELECT 1; ROLLBACK -- so far\n TO here",
                "/*! ROLLBACK TO here */",
                "ROLLBACK /* so /* far */ by */ TO here",
                "/* so /* far */ ROLLBACK /**/ */ TO here",
                "/* /* */ SELECT 1 */ ROLLBACK TO here",
                "ROLLBACK # so far\nTO here",
                "ROLLBACK // so far\nTO here",
                "ROLLBACK -- so far\rTO here",
                "ROLLBACK /*! TO */ here",
                "ROLLBACK /*M! TO */ SAVEPOINT here",
                "ROLLBACK TO # so far\n SAVEPOINT here",
                "/* which might be one */ ROLLBACK; DROP TABLE to",
            })
    void a_way_back_is_found_wherever_it_stands(String sql) {
        assertThat(StatementKind.of(sql, new H2Dialect())).isEqualTo(StatementKind.BACK_TO_SAVEPOINT);
        assertThat(StatementKind.isAboutSavepoints(sql)).isTrue();
        assertThat(StatementKind.setsSavepoint(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SAVEPOINT here", "savepoint\there", "RELEASE SAVEPOINT a; SAVEPOINT b", "BEGIN SAVEPOINT a; END"
            })
    void one_that_sets_a_savepoint_is_about_savepoints(String sql) {
        assertThat(StatementKind.isAboutSavepoints(sql)).isTrue();
        assertThat(StatementKind.setsSavepoint(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RELEASE here",
                "release savepoint here",
                "RELEASE /* it */ SAVEPOINT here",
                "RELEASE\u001fSAVEPOINT here"
            })
    void one_that_releases_a_savepoint_sets_none(String sql) {
        assertThat(StatementKind.isAboutSavepoints(sql)).isTrue();
        assertThat(StatementKind.setsSavepoint(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "CALL savepoints()", "SET released = 1", "ROLLBACK"})
    void one_about_anything_else_is_not(String sql) {
        assertThat(StatementKind.isAboutSavepoints(sql)).isFalse();
        assertThat(StatementKind.setsSavepoint(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rollback /**/ ", "to -- ", "to /* ", "savepoint /**/ ", "/* -- # "})
    void a_long_text_takes_no_longer_than_its_length(String repeated) {
        String sql = repeated.repeat(100_000 / repeated.length());
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            StatementKind.of(sql, new H2Dialect());
            StatementKind.isAboutSavepoints(sql);
            StatementKind.setsSavepoint(sql);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT INTO t VALUES (1), PLAIN",
        "INSERT INTO t VALUES (1) COMMIT, OTHER",
        "ROLLBACK, OTHER",
        "ROLLBACK TRAN, OTHER",
        "ROLLBACK TRAN here, BACK_TO_SAVEPOINT",
        "rollback transaction [here], BACK_TO_SAVEPOINT",
        "DELETE FROM t ROLLBACK TRAN here, BACK_TO_SAVEPOINT",
        "ROLLBACK /* all */ TRAN here, BACK_TO_SAVEPOINT",
        "SAVE TRAN here, BACK_TO_SAVEPOINT",
        "SAVE/**/TRANSACTION here, BACK_TO_SAVEPOINT",
    })
    void sql_server_needs_no_semicolon_and_names_savepoints_in_its_own_way(String sql, StatementKind kind) {
        assertThat(StatementKind.of(sql, new SqlServerDialect())).isEqualTo(kind);
        assertThat(StatementKind.isAboutSavepoints(sql)).isEqualTo(kind == StatementKind.BACK_TO_SAVEPOINT);
    }
}
