// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedProgram;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs what the page about Hibernate shows. */
@Tag("long")
class PageTest {

    @TempDir
    Path folder;

    @Test
    void the_program_numbers_a_bill_each_time_it_runs() {
        for (Fence fence : Fence.of("java hibernate")) {
            FencedProgram program = FencedProgram.compile(new ReadersDatabases().in(fence), folder);
            assertThat(program.expected()).containsExactly("1");
            assertThat(program.run(Map.of())).containsExactly("1");
            assertThat(program.run(Map.of())).containsExactly("2");
        }
    }
}
