// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.SpannerEmulator;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the README's Spanner examples, on the emulator. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadmeTest {

    private static final Pattern SNIPPET = Pattern.compile("```java spanner\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_snippet_compiles_prints_what_its_comment_says_ends_and_runs_again(@TempDir Path folder) throws Exception {
        EmulatorDatabase.named("my-project", "my-instance", "shop");
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../README.md")));
        assertThat(snippet.find()).isTrue();
        assertThat(run(folder, snippet.group(1))).isEqualTo("1\n");
        assertThat(run(folder, snippet.group(1))).isEqualTo("2\n");
    }

    private static String run(Path folder, String snippet) throws Exception {
        String imports =
                snippet.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
        String body =
                snippet.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
        Path source = Files.writeString(
                folder.resolve("Snippet.java"),
                imports + "\nclass Snippet { public static void main(String[] a) {\n" + body + "\n}}");
        String classPath = System.getProperty("java.class.path");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        boolean compiled = compiler.getTask(
                        complaints,
                        null,
                        null,
                        List.of("-cp", classPath, "-proc:none", "-d", folder.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + System.getProperty("path.separator") + classPath,
                "Snippet");
        java.environment().put("SPANNER_EMULATOR_HOST", SpannerEmulator.shared().address());
        Process process = java.redirectError(folder.resolve("stderr").toFile()).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("stderr")))
                .isZero();
        return printed;
    }
}
