// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The faults in {@code src/test/planted} fit the code as it is: one that does not shows nothing. */
class PlantedTest {

    @Test
    void every_patch_applies() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src", "test", "planted"))) {
            List<Path> patches =
                    files.filter(file -> file.toString().endsWith(".patch")).toList();
            assertThat(patches).isNotEmpty();
            for (Path patch : patches) {
                checkApplies(patch);
            }
        }
    }

    private static void checkApplies(Path patch) throws IOException {
        String code = "";
        List<String> before = new ArrayList<>();
        int hunks = 0;
        for (String line : (Files.readString(patch) + "@@").lines().toList()) {
            boolean header = line.startsWith("--- a/");
            if (header || line.startsWith("@@")) {
                assertThat(code).as(patch.toString()).contains(String.join("\n", before));
                before.clear();
            }
            if (header) {
                code = Files.readString(Path.of("..", line.substring("--- a/".length())));
            } else if (line.startsWith("@@")) {
                hunks++;
            } else if (line.startsWith(" ") || line.startsWith("-")) {
                before.add(line.substring(1));
            }
        }
        assertThat(hunks).as(patch.toString()).isGreaterThan(1);
    }
}
