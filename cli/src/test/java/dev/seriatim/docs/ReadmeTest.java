// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every Java snippet of the README, and compares what it prints with its comments. */
class ReadmeTest {

    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println\\(.*\\); +// (.*)");

    private static List<String> snippets() {
        List<String> snippets = new ArrayList<>();
        Matcher found = SNIPPET.matcher(Repository.read("README.md"));
        while (found.find()) {
            snippets.add(found.group(1));
        }
        return snippets;
    }

    @TestFactory
    List<DynamicTest> every_snippet_compiles_and_prints_what_its_comments_say_and_runs_again(@TempDir Path folder) {
        List<DynamicTest> tests = new ArrayList<>();
        List<String> snippets = snippets();
        for (int i = 0; i < snippets.size(); i++) {
            String snippet = snippets.get(i);
            Path place = folder.resolve("snippet" + i);
            tests.add(DynamicTest.dynamicTest("snippet " + (i + 1), () -> {
                List<String> expected = new ArrayList<>();
                Matcher printed = PRINTED.matcher(snippet);
                while (printed.find()) {
                    expected.add(printed.group(1));
                }
                assertThat(expected).isNotEmpty();
                assertThat(run(Files.createDirectories(place), snippet)).containsExactlyElementsOf(expected);
                assertThat(run(place, snippet)).hasSameSizeAs(expected).doesNotContainAnyElementsOf(expected);
            }));
        }
        return tests;
    }

    @Test
    void shows_the_library_in_ten_lines() {
        List<String> snippets = snippets();
        assertThat(snippets).hasSizeGreaterThanOrEqualTo(2);
        assertThat(snippets.get(0).lines()).hasSizeLessThanOrEqualTo(10);
    }

    private static List<String> run(Path place, String snippet) throws Exception {
        String imports =
                snippet.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
        String body =
                snippet.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
        Path source = Files.writeString(
                place.resolve("Snippet.java"),
                imports + "\npublic class Snippet { public static void main(String[] a) throws Exception {\n" + body
                        + "\n}}");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        String classPath = System.getProperty("java.class.path");
        boolean compiled = compiler.getTask(
                        complaints,
                        null,
                        null,
                        List.of("-cp", classPath, "-proc:none", "-d", place.toString()),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        place + System.getProperty("path.separator") + classPath,
                        "Snippet")
                .directory(place.toFile())
                .redirectError(place.resolve("stderr").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(place.resolve("stderr")))
                .isZero();
        return output.lines().toList();
    }
}
