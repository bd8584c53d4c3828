// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** In a process of its own, since what is tested is the end of the process. */
@Timeout(60)
class InterruptionTest {

    @Test
    void a_process_that_is_told_to_end_reports_first_what_it_has_measured() throws Exception {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                InterruptionTest.class.getName());
        java.environment().remove("JAVA_TOOL_OPTIONS"); // of which Java would say first that it has picked them up
        Process process = java.redirectErrorStream(true).start();
        assumeTrue(process.supportsNormalTermination(), "a system that can ask a process to end");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).contains("about 2 min");
            assertThat(process.waitFor(2, TimeUnit.SECONDS)).isFalse();
            process.toHandle().destroy(); // which, other than the process, keeps its output open
            assertThat(lines.lines().toList())
                    .anySatisfy(line -> assertThat(line).contains("iterations (2 parallel threads) in"))
                    .anySatisfy(line -> assertThat(line).startsWith("1 result"))
                    .anySatisfy(line -> assertThat(line).contains("interrupted"));
            assertThat(process.waitFor()).isNotZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** What runs in the process. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        new CommandLine(new BenchCommand())
                .setOut(out)
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .execute("--store", "memory:", "--mode", "ADAPTIVE", "--threads", "2", "--iterations", "24000");
    }
}
