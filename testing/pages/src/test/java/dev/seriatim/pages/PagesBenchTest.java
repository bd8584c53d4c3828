// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs those commands of the pages that measure; beside the others, in a class of its own. */
@DisabledOnOs(OS.WINDOWS)
@Tag("long")
class PagesBenchTest {

    /** Cut down: a few iterations, a tenth of a second, one round. */
    @TestFactory
    Stream<DynamicContainer> commands_that_measure_do_so(@TempDir Path folder) {
        return PagesCommandsTest.run(folder, PagesCommandsTest::measures, 1);
    }

    /** As they stand, with a database that is not there: a wrong option is refused before, with another exit code. */
    @TestFactory
    Stream<DynamicTest> commands_that_measure_are_accepted(@TempDir Path folder) {
        return Fence.of("sh").stream()
                .filter(PagesCommandsTest::measures)
                .flatMap(fence -> FencedCommands.of(
                                fence.with(Map.of("//HOST/DATABASE?user=USER&password=PASSWORD", "//127.0.0.1:1/none")))
                        .script()
                        .lines()
                        .filter(line -> line.startsWith("./seriatim verify ")
                                || (line.startsWith("./seriatim bench ") && !line.contains(" compare ")))
                        .map(line ->
                                DynamicTest.dynamicTest(fence + ": " + line, () -> isAccepted(fence, line, folder))));
    }

    private static void isAccepted(Fence fence, String line, Path folder) {
        String elsewhere = line.replaceAll(" --store (?:'[^']*'|\\S+)", "");
        ProgramRun run = new FencedCommands(fence, elsewhere)
                .run(folder, Map.of("SERIATIM_STORE", "jdbc:postgresql://127.0.0.1:1/none"));
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("127.0.0.1:1");
    }
}
