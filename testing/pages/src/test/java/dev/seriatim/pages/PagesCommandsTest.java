// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the pages in a shell, those of a page in one folder, and compares what they print; but for those that measure. */
@DisabledOnOs(OS.WINDOWS)
class PagesCommandsTest {

    private static final List<Fence> ALL = Fence.all();

    @TestFactory
    Stream<DynamicContainer> commands_of_the_readme_print_what_stands_behind_them_and_run_again(@TempDir Path folder) {
        return run(folder, fence -> !measures(fence) && fence.page().equals("README.md"), 2);
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicContainer> commands_print_what_stands_behind_them_and_run_again(@TempDir Path folder) {
        return run(folder, fence -> !measures(fence) && !fence.page().equals("README.md"), 2);
    }

    static boolean measures(Fence fence) {
        return fence.text().contains("./seriatim bench") || fence.text().contains("./seriatim verify");
    }

    static Stream<DynamicContainer> run(Path folder, Predicate<Fence> which, int times) {
        Map<String, List<Fence>> pages = Fence.of("sh").stream()
                .filter(which)
                .collect(Collectors.groupingBy(Fence::page, LinkedHashMap::new, Collectors.toList()));
        return pages.entrySet().stream().map(page -> {
            ReadersDatabases databases = new ReadersDatabases();
            Path place = folder.resolve(page.getKey().replace('/', '-'));
            return DynamicContainer.dynamicContainer(
                    page.getKey(),
                    page.getValue().stream()
                            .map(fence -> DynamicTest.dynamicTest(
                                    fence.toString(),
                                    () -> run(fence, databases, Files.createDirectories(place), times))));
        });
    }

    private static void run(Fence fence, ReadersDatabases databases, Path folder, int times) {
        FencedCommands commands = FencedCommands.of(databases.in(fence)).cutDown();
        for (int time = 1; time <= times; time++) {
            ProgramRun run = commands.run(folder, Map.of());
            assertThat(run.code()).as(run.err()).isZero();
            if (time == 1) {
                output(fence).ifPresent(output -> assertThat(run.out()).matches(pattern(output)));
            }
        }
    }

    private static Optional<Fence> output(Fence commands) {
        int next = ALL.indexOf(commands) + 1;
        return next == ALL.size()
                ? Optional.empty()
                : Optional.of(ALL.get(next)).filter(fence -> PagesTest.isOutputOf(fence, commands));
    }

    /** An ellipsis stands for anything within a line. */
    private static String pattern(Fence output) {
        return Stream.of(output.text().split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    }
}
