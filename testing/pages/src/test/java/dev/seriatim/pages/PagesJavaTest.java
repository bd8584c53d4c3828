// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedProgram;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the programs of the pages, runs each twice, and compares what it prints with its comments. */
class PagesJavaTest {

    @TestFactory
    Stream<DynamicTest> programs_of_the_readme_print_what_their_comments_say_and_run_again(@TempDir Path folder) {
        return run(folder, fence -> fence.page().equals("README.md"));
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicTest> programs_print_what_their_comments_say_and_run_again(@TempDir Path folder) {
        return run(folder, fence -> !fence.page().equals("README.md"));
    }

    private static Stream<DynamicTest> run(Path folder, Predicate<Fence> which) {
        return Fence.of("java").stream()
                .filter(which)
                .map(fence -> DynamicTest.dynamicTest(fence.toString(), () -> runsTwice(fence, folder)));
    }

    private static void runsTwice(Fence fence, Path folder) throws Exception {
        FencedProgram program =
                FencedProgram.compile(new ReadersDatabases().in(fence), Files.createTempDirectory(folder, "program"));
        List<String> expected = program.expected();
        assertThat(expected).as("what it prints").isNotEmpty();
        assertThat(program.run(Map.of())).containsExactlyElementsOf(expected);
        List<String> again = program.run(Map.of());
        assertThat(again).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            if (expected.get(i).matches(".*\\d")) {
                assertThat(again.get(i)).as("drawn again").isNotEqualTo(expected.get(i));
            } else {
                assertThat(again.get(i)).isEqualTo(expected.get(i));
            }
        }
    }
}
