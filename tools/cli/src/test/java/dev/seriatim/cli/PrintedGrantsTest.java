// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The grants that {@code install --print} prints, pasted by an administrator as they stand. */
class PrintedGrantsTest {

    private static CommandLineRun on(Database database, String... arguments) {
        return CommandLineRun.on(database.url(), arguments);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL,", "POSTGRESQL, acme", "MARIADB,", "MYSQL,"})
    void a_user_with_these_grants_draws(Engine engine, String schema) throws SQLException {
        Database fresh = engine.freshDatabase();
        boolean postgres = engine == Engine.POSTGRESQL;
        if (schema != null) {
            fresh.execute("CREATE SCHEMA " + schema);
        }
        if (engine == Engine.MYSQL) { // it keeps a binary log by default
            fresh.execute("SET GLOBAL log_bin_trust_function_creators = 1");
        }
        Database database = schema == null ? fresh : fresh.option("currentSchema", schema);
        String user = "paste_" + database.name();
        database.execute(
                postgres
                        ? "CREATE ROLE " + user + " LOGIN PASSWORD 'x'"
                        : "CREATE USER " + user + " IDENTIFIED BY 'x'");
        on(database, "install").succeeded();
        on(database, "create", "orders").succeeded();

        String printed = on(database, "install", "--print").succeeded();
        String block = printed.substring(printed.lastIndexOf("/*") + 2, printed.lastIndexOf("*/"));
        String grants = block.substring(block.indexOf("--"));
        for (String statement : grants.replace("app_user", user).strip().split(";\\s*", -1)) {
            if (!statement.isBlank()) {
                database.execute(statement);
            }
        }

        Database own = database.as(user, "x");
        assertThat(on(own, "next", "orders").succeeded()).isEqualTo("1\n");
        assertThat(on(own, "next", "orders", "--mode", "POOLED").succeeded()).isEqualTo("2\n");
        on(own, "create", "more").succeeded();
        on(own, "drop", "more").succeeded();
        on(own, "restart", "orders", "--with", "1").noted("'orders'");
        assertThat(own.number("SELECT next_val('orders')")).isEqualTo(1);
    }
}
