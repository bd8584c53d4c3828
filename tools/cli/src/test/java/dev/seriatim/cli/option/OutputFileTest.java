// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

    @TempDir
    private Path folder;

    @Test
    void a_report_of_before_is_replaced() throws Exception {
        Path file = Files.writeString(folder.resolve("report.json"), "a report of before, longer than the new one");
        new OutputFile("--json", file).write(() -> "{}");
        assertThat(file).hasContent("{}");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_full_disk_is_reported_with_a_remedy() {
        assertThatThrownBy(() -> new OutputFile("--svg", Path.of("/dev/full")).write(() -> "x"))
                .hasMessage("--svg: cannot write '/dev/full': No space left on device; choose another file");
    }

    @Test
    void a_database_is_not_overwritten() throws Exception {
        Path file = folder.resolve("shop.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE customer (name)");
        }
        assertThatThrownBy(() -> new OutputFile("--html", file))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("--html: cannot write '" + file + "': it is an SQLite database; choose another file");
    }

    @Test
    void one_file_for_two_options_is_refused_and_so_is_standard_output() throws Exception {
        OutputFile json = new OutputFile("--json", folder.resolve("report"));
        OutputFile html = new OutputFile("--html", folder.resolve(".").resolve("report"));
        assertThatThrownBy(() -> OutputFile.distinct(null, json, new OutputFile("--csv", null), html))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("--html: cannot write '" + html.path() + "': another option names it; choose another file");
        OutputFile.distinct(null, json, new OutputFile("--html", folder.resolve("page")));
        assertThatThrownBy(() -> OutputFile.distinct(html.path(), json))
                .hasMessageContaining("another option names it");
        assertThatThrownBy(() -> new OutputFile("--csv", Path.of("-")))
                .isInstanceOf(Misconfigured.class)
                .hasMessage("--csv: cannot write '-': name a file; for JSON on standard output, use --format json");
    }
}
