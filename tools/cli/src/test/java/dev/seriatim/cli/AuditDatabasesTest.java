// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The audit on real databases. */
class AuditDatabasesTest {

    private static final int FOUND = 3;

    private static Database invoices(Engine engine) throws SQLException {
        Database database = engine.freshDatabase();
        String quote = engine == Engine.MARIADB ? "`" : "\"";
        database.execute(
                "CREATE TABLE 'invoice' ('number' BIGINT, 'made' TIMESTAMP NULL)".replace("'", quote),
                "INSERT INTO INVOICES VALUES (1, '2024-01-01 10:00:00'), (2, '2024-01-01 10:00:05'), (2, NULL),"
                                .replace("INVOICES", quote + "invoice" + quote)
                        + " (3, '2024-01-01 10:00:03'), (6, '2024-01-01 10:00:05'), (NULL, NULL)");
        on(database, "create", "a").succeeded();
        on(database, "next", "a", "-n", "7").succeeded();
        return database;
    }

    private static CommandLineRun on(Database database, String... arguments) {
        return CommandLineRun.on(database.url(), arguments);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void finds_every_kind_of_fault(Engine engine) throws SQLException {
        CommandLineRun run = on(invoices(engine), "audit", "a", "--column", "invoice.number", "--ordered-by", "made");
        run.endedWith(FOUND, "invoice.number has 1 duplicate, 1 gap, 1 number out of order");
        assertThat(run.out())
                .contains("duplicate     2 (2 rows)\n", "gap           4 … 5 (2 numbers)\n")
                .contains("out of order  2 after 3, at 2024-01-01 10:00:05")
                .contains("5 rows with a number, 1 … 6; 1 without", "by made; 1 without a time")
                .contains("at the end    7 dealt or reserved");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void says_what_its_user_may_not_read(Engine engine) throws SQLException {
        Database database = invoices(engine);
        String user = engine == Engine.MARIADB ? "'auditor'@'%'" : "auditor";
        database.execute(
                engine == Engine.MARIADB
                        ? "CREATE OR REPLACE USER " + user + " IDENTIFIED BY 'x'"
                        : "DO $$ BEGIN CREATE ROLE auditor LOGIN PASSWORD 'x'; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
                "GRANT SELECT ON seriatim_sequence TO " + user);
        CommandLineRun run = on(database.as("auditor", "x"), "audit", "a", "--column", "invoice.number");
        run.failedWith("may not read table 'invoice'", "grant it SELECT");
        database.execute("GRANT SELECT ON invoice TO " + user);
        on(database.as("auditor", "x"), "audit", "a", "--column", "invoice.number")
                .endedWith(FOUND, "1 gap");
    }
}
