// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedProgram;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the Spanner examples of the documentation, on the emulator. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SpannerPagesTest {

    @Test
    void a_program_prints_what_its_comment_says_ends_and_runs_again(@TempDir Path folder) {
        EmulatorDatabase.named("my-project", "my-instance", "shop");
        Map<String, String> environment = Map.of("SPANNER_EMULATOR_HOST", SpannerEmulator.shared());
        for (Fence fence : Fence.of("java spanner")) {
            FencedProgram program = FencedProgram.compile(fence, folder);
            assertThat(program.expected()).containsExactly("1");
            assertThat(program.run(environment)).containsExactly("1");
            assertThat(program.run(environment)).containsExactly("2");
        }
    }
}
