// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstUseTest {

    @Test
    void rehearses_real_commands(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("x.db");
        FirstUse.rehearse(file);
        assertThat(Files.size(file)).isPositive();
        CommandLineRun run =
                CommandLineRun.of(java.util.Map.of(), "--store", "sqlite:" + file, "list", "--format", "json");
        assertThat(run.succeeded()).contains("\"name\": \"a\"").doesNotContain("\"name\": \"b\"");
    }
}
