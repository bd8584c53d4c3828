// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.terminal.ExitCode;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows of this library's table that are no sequences. */
class DoctorOnBrokenRowsTest {

    @Test
    void the_rest_is_examined_and_listed_and_the_row_is_named_on_sqlite() throws Exception {
        named(Engine.SQLITE.freshDatabase(), "SELECT 1");
    }

    @Test
    void the_rest_is_examined_and_listed_and_the_row_is_named_on_postgresql() throws Exception {
        named(Engine.POSTGRESQL.freshDatabase(), "ALTER TABLE seriatim_sequence ALTER next_value TYPE numeric");
    }

    @Test
    void the_rest_is_examined_and_listed_and_the_row_is_named_on_mariadb() throws Exception {
        named(
                Engine.MARIADB.freshDatabase(),
                "ALTER TABLE seriatim_sequence MODIFY next_value bigint unsigned NOT NULL");
    }

    @Test
    void the_rest_is_examined_and_listed_and_the_row_is_named_on_h2() throws Exception {
        named(
                Engine.H2.freshDatabase(),
                "ALTER TABLE seriatim_sequence ALTER COLUMN next_value SET DATA TYPE numeric(20)",
                "\"$0\"");
    }

    private static void named(Database database, String wider) throws Exception {
        named(database, wider, "$0");
    }

    /** Quotes names as {@code quoted} says. */
    private static void named(Database database, String wider, String quoted) throws Exception {
        for (String name : List.of("a", "large", "nameless", "z_full")) {
            CommandLineRun.on(database.url(), "create", name, "--max-value", "1")
                    .succeeded();
        }
        for (String sql : List.of(
                wider,
                "UPDATE seriatim_sequence SET next_value = 18446744073709551610 WHERE name = 'large'",
                "UPDATE seriatim_sequence SET name = '' WHERE name = 'nameless'")) {
            database.execute(sql.replaceAll("seriatim_sequence|next_value|\\bname\\b", quoted));
        }
        CommandLineRun.on(database.url(), "next", "z_full").succeeded();

        Examination examination = Examination.of(database.url());
        assertThat(examination.findings())
                .containsExactlyInAnyOrder("broken-row ''", "broken-row large", "exhausted z_full");
        assertThat(examination.run().code()).isEqualTo(ExitCode.WRONG_NUMBERS);
        assertThat(examination.run().out())
                .contains("sequence '': the name must not be empty", "sequence 'large': column next_value");

        CommandLineRun list = CommandLineRun.on(database.url(), "list");
        assertThat(list.code()).isEqualTo(ExitCode.FAILED);
        assertThat(list.out().lines().map(line -> line.replaceFirst(" .*", ""))).containsExactly("NAME", "a", "z_full");
        assertThat(list.err().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("seriatim: sequence '': the name must not be empty"))
                .anyMatch(line -> line.startsWith("seriatim: sequence 'large': column next_value")
                        && line.endsWith("; correct the row"));
    }
}
