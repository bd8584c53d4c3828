// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Audits 400,000 rows with too little memory for them: a driver that kept them would need 32 MB and more. */
@Tag("long")
class AuditMemoryTest {

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRESQL", "MARIADB"})
    void a_column_is_never_held_in_memory(Engine engine) throws SQLException, IOException, InterruptedException {
        Database database = engine.freshDatabase();
        database.execute(
                "CREATE TABLE invoice (number BIGINT, made INTEGER)",
                "INSERT INTO invoice "
                        + switch (engine) {
                            case POSTGRESQL -> "SELECT g, g FROM generate_series(1, 400000) g";
                            case MARIADB -> "SELECT seq, seq FROM seq_1_to_400000";
                            default ->
                                "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 400000)"
                                        + " SELECT n, n FROM s";
                        },
                "DELETE FROM invoice WHERE number = 200000 OR number = 399999");
        CommandLineRun.on(database.url(), "create", "a").succeeded();
        CommandLineRun.on(database.url(), "raise", "a", "--to", "400001").succeeded();
        Process audit = java(
                "-Xmx20m",
                "--store",
                database.url(),
                "audit",
                "a",
                "--column",
                "invoice.number",
                "--ordered-by",
                "made");
        String output = new String(audit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output)
                .contains("gap           200000\n", "gap           399999\n", "399998 rows with a number")
                .contains("order         none, by made\n", "has 2 gaps");
        assertThat(audit.waitFor()).isEqualTo(3);
    }

    private static Process java(String memory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                memory,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
