// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedProgram;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs what the pages show of frameworks, which are on the class path of these tests. */
@Tag("long")
class FrameworkPagesTest {

    @TempDir
    private Path folder;

    @Test
    void spring() {
        drawsAgainWhenItRunsAgain(Fence.of("java spring"));
    }

    @Test
    void jpa() {
        drawsAgainWhenItRunsAgain(Fence.of("java jpa"));
    }

    @Test
    void jooq() {
        drawsAgainWhenItRunsAgain(Fence.of("java jooq"));
    }

    @Test
    void hikari() {
        drawsAgainWhenItRunsAgain(Fence.of("java hikari"));
    }

    @Test
    void atomikos() {
        drawsAgainWhenItRunsAgain(Fence.of("java atomikos"));
    }

    @Test
    void narayana() {
        drawsAgainWhenItRunsAgain(Fence.of("java narayana"));
    }

    private void drawsAgainWhenItRunsAgain(List<Fence> fences) {
        for (Fence fence : fences) {
            FencedProgram program = FencedProgram.compile(new ReadersDatabases().in(fence), folder);
            assertThat(program.expected()).containsExactly("1");
            assertThat(numbers(program)).containsExactly("1");
            assertThat(numbers(program)).containsExactly("2");
        }
    }

    /** Atomikos prints words, too. */
    private static List<String> numbers(FencedProgram program) {
        return program.run(Map.of()).stream()
                .filter(line -> line.matches("-?\\d+"))
                .toList();
    }
}
