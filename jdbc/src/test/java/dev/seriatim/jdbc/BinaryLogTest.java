// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Server;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BinaryLogTest {

    private static final int EVENT_TYPE = 3;

    @Test
    void a_server_that_trusts_nobody_with_functions_gets_the_table_and_is_told_the_remedy() throws SQLException {
        try (Server server = Server.mariadb(Map.of("log-bin", "binary", "sync-binlog", "1"))) {
            Database database = server.freshDatabase();
            try (JdbcStore store = JdbcStore.open(database.dataSource());
                    SqlSession sql = SqlSession.on(database)) {
                assertThatThrownBy(store::install)
                        .isInstanceOf(Misconfigured.class)
                        .hasMessageContaining("SET GLOBAL log_bin_trust_function_creators = 1")
                        .hasMessageNotContaining("\n");
                store.create(SequenceDefinition.of("orders"));
                assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);

                sql.run("SET GLOBAL log_bin_trust_function_creators = 1");
                store.install();
                sql.run("SET GLOBAL log_bin_trust_function_creators = 0");
                assertThat(sql.nextVal("orders")).isEqualTo(2);
            }
        }
    }

    @Test
    void a_draw_is_logged_as_the_row_it_changed() throws SQLException {
        try (Server server = Server.mariadb(
                Map.of("log-bin", "binary", "sync-binlog", "1", "log-bin-trust-function-creators", "1"))) {
            Database database = server.freshDatabase();
            try (JdbcStore store = JdbcStore.open(database.dataSource());
                    SqlSession sql = SqlSession.on(database)) {
                store.install();
                store.create(SequenceDefinition.of("orders"));
                long before = sql.texts("SHOW BINLOG EVENTS").size();
                sql.nextVal("orders");
                // If a replica reran the function, it could draw a value other than the one returned.
                assertThat(sql.texts("SHOW BINLOG EVENTS", EVENT_TYPE).stream().skip(before))
                        .anyMatch(event -> event.startsWith("Update_rows"));
            }
        }
    }

    @Test
    void a_server_that_logs_statements_is_refused_where_it_refuses_draws() throws SQLException {
        try (Server server = Server.mariadb(Map.of(
                "log-bin",
                "binary",
                "sync-binlog",
                "1",
                "binlog-format",
                "STATEMENT",
                "transaction-isolation",
                "READ-COMMITTED"))) {
            Database database = server.freshDatabase();
            assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("binlog_format is STATEMENT")
                    .hasMessageContaining("1665")
                    .hasMessageContaining("SET GLOBAL binlog_format = 'MIXED'")
                    .hasMessageNotContaining("\n");
            database.execute("SET GLOBAL binlog_format = 'MIXED'");
            try (JdbcStore store = JdbcStore.open(database.dataSource())) {
                store.create(SequenceDefinition.of("orders"));
                assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);
            }
        }
    }

    @Test
    void a_server_that_logs_statements_is_named_where_it_takes_draws() throws SQLException {
        try (Server server = Server.mariadb(Map.of(
                "log-bin",
                "binary",
                "sync-binlog",
                "1",
                "binlog-format",
                "STATEMENT",
                "log-bin-trust-function-creators",
                "1"))) {
            Database database = server.freshDatabase();
            try (JdbcStore store = JdbcStore.open(database.dataSource());
                    SqlSession sql = SqlSession.on(database)) {
                store.install();
                store.create(SequenceDefinition.of("orders"));
                assertThat(store.reserve("orders", 1).block().first()).isEqualTo(1);
                assertThat(sql.nextVal("orders")).isEqualTo(2);
                assertThat(store.script())
                        .contains("-- caution: binlog_format is STATEMENT")
                        .contains("SET GLOBAL binlog_format = 'MIXED'");
                sql.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
                assertThatThrownBy(() -> sql.nextVal("orders"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1665));
            }
        }
    }
}
