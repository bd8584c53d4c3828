// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static dev.seriatim.cli.CommandLineRun.on;

import org.junit.jupiter.api.Test;

/** The same in PostgreSQL's dialect. */
class JdbcPostgresCommandTest extends JdbcCommandTest {

    @Override
    JdbcEmulator.Form form() {
        return JdbcEmulator.Form.POSTGRESQL;
    }

    @Test
    void a_table_named_in_another_case_is_refused_by_its_name() {
        JdbcEmulator database = JdbcEmulator.create(form());
        on(database.url("autoConfigEmulator=true"), "create", "order_id").succeeded();
        on(database.url("autoConfigEmulator=true", "seriatim.table=SERIATIM_sequence"), "create", "order_id")
                .failedWith("is called 'seriatim_sequence'");
    }
}
