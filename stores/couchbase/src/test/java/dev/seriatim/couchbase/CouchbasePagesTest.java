// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import dev.seriatim.servers.pages.FencedProgram;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Couchbase examples of the documentation, twice, with an unused set of sequences. */
@Tag("long")
class CouchbasePagesTest {

    private final Map<String, String> places =
            Map.of("couchbase://HOST/BUCKET?user=USER&password=PASSWORD", TestServer.freshPlace() + TestServer.PATIENT);

    @TempDir
    private Path folder;

    @Test
    void a_program_prints_what_its_comment_says_and_runs_again() {
        for (Fence fence : Fence.of("java couchbase")) {
            FencedProgram program = FencedProgram.compile(fence.with(places), folder);
            assertThat(program.expected()).containsExactly("1");
            assertThat(program.run(Map.of())).containsExactly("1");
            assertThat(program.run(Map.of())).containsExactly("2");
        }
    }

    @Test
    void commands_run_twice() {
        for (Fence fence : Fence.of("sh couchbase")) {
            FencedCommands commands = FencedCommands.of(fence.with(places));
            for (int time = 1; time <= 2; time++) {
                ProgramRun run = commands.run(folder, Map.of());
                assertThat(run.code()).as(fence + ": " + run.err()).isZero();
            }
        }
    }
}
