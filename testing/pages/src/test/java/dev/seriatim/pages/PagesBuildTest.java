// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static dev.seriatim.pages.CheckoutCopy.inPom;
import static dev.seriatim.pages.CheckoutCopy.succeeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import dev.seriatim.servers.pages.Fence;
import dev.seriatim.servers.pages.FencedCommands;
import dev.seriatim.servers.pages.ReadersDatabases;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the pages say of building, in a copy of the checkout, and what they say to whoever has installed the artefacts: a project of its own,
 * with nothing but the dependency and the programs of the README, on the class path and on the module path. The local repository that it
 * installs to is a temporary one, which looks into the user's own for what is there already.
 */
@DisabledOnOs(OS.WINDOWS)
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PagesBuildTest {

    private static final Pattern CLASS = Pattern.compile("class (\\w+)");
    private static final String JAVA_HOME = CheckoutCopy.JAVA_HOME;

    @TempDir
    private static Path folder;

    private static CheckoutCopy checkout;

    @BeforeAll
    static void copy() throws IOException {
        checkout = CheckoutCopy.in(folder, folder.resolve("repository"));
    }

    /** Benchmarks measure for a moment, once. */
    @Order(1)
    @TestFactory
    Stream<DynamicTest> what_is_built_runs() {
        ReadersDatabases databases = new ReadersDatabases();
        return Fence.of("sh maven").stream()
                .map(fence -> DynamicTest.dynamicTest(fence.toString(), () -> {
                    String script = databases
                            .in(fence)
                            .text()
                            .replaceAll("(?m)^\\./mvnw verify$", "./mvnw -q validate") // this build is that command
                            .replaceAll(
                                    "-Drounds=\\d+ -Dseconds=[\\d.]+",
                                    "-Drounds=1 -Dseconds=0.01 -Dthreads=2 -Dmillis=0")
                            .replaceAll("(?m)^(entities \"\\$\\w+\") \\d+ \\d+", "$1 100 1");
                    succeeds(new FencedCommands(fence, script).run(checkout.root(), checkout.environment()));
                }));
    }

    /** With the path's separators, and the wrapper, of the system that runs this. */
    @Order(2)
    @TestFactory
    Stream<DynamicTest> what_is_built_on_windows_runs() {
        return Fence.of("bat").stream()
                .map(fence -> DynamicTest.dynamicTest(fence.toString(), () -> {
                    String script = fence.text()
                            .replace('\\', '/')
                            .replace(";", File.pathSeparator)
                            .replace("mvnw.cmd", "./mvnw")
                            .replaceAll("(?m)^java ", JAVA_HOME + "/bin/java ");
                    assertThat(checkout.root().resolve("mvnw.cmd")).exists();
                    assertThat(succeeds(new FencedCommands(fence, script).run(checkout.root(), checkout.environment())))
                            .isNotEmpty();
                }));
    }

    @Test
    @Order(3)
    void the_programs_of_the_readme_run_in_a_project_of_their_own() throws IOException {
        Path project = Files.createDirectory(folder.resolve("shop"));
        Path libraries = libraries(project);
        assertThat(libraries.toFile().list()).hasSize(3);
        List<String> programs = programs();
        assertThat(programs).hasSize(3);

        Path classes = Files.createDirectory(project.resolve("classes"));
        for (String program : programs) {
            succeeds(javac(write(project.resolve(name(program) + ".java"), program), classes, "-cp", libraries + "/*"));
        }
        twice(
                Files.createDirectory(project.resolve("on-the-class-path")),
                programs.stream().map(PagesBuildTest::name).toList(),
                "-cp",
                classes + File.pathSeparator + libraries + "/*");

        Path module = Files.createDirectory(project.resolve("module"));
        List<Path> sources = new ArrayList<>();
        sources.add(write(module.resolve("module-info.java"), "module shop {\n    requires dev.seriatim.jdbc;\n}\n"));
        for (String program : programs) {
            sources.add(write(module.resolve(name(program) + ".java"), "package shop;\n\n" + program));
        }
        Path modular = Files.createDirectory(project.resolve("modular-classes"));
        succeeds(javac(sources, modular, "--module-path", libraries.toString()));
        twice(
                Files.createDirectory(project.resolve("on-the-module-path")),
                programs.stream().map(program -> "shop/shop." + name(program)).toList(),
                "--module-path",
                modular + File.pathSeparator + libraries,
                "-m");
    }

    /** The README's, and the first again with an ordered sequence. */
    private static List<String> programs() {
        List<String> programs = new ArrayList<>(Fence.of("java").stream()
                .filter(fence -> fence.page().equals("README.md"))
                .map(Fence::text)
                .toList());
        programs.add(programs.get(0)
                .replace("class Orders", "class Tickets")
                .replace(".unique(\"order_id\")", ".ordered(\"ticket_id\")"));
        return programs;
    }

    private static Path libraries(Path project) throws IOException {
        Path libraries = project.resolve("lib");
        write(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                <modelVersion>4.0.0</modelVersion>
                <groupId>shop</groupId>
                <artifactId>shop</artifactId>
                <version>1</version>
                <dependencies>
                %s
                <dependency>
                  <groupId>org.xerial</groupId>
                  <artifactId>sqlite-jdbc</artifactId>
                  <version>%s</version>
                </dependency>
                </dependencies>
                </project>
                """.formatted(
                        Fence.of("xml").get(0).text(), inPom("<sqlite-jdbc.version>(.*?)<")));
        checkout.maven(
                project,
                "org.apache.maven.plugins:maven-dependency-plugin:"
                        + inPom("maven-dependency-plugin</artifactId>\\s*<version>(.*?)<")
                        + ":copy-dependencies",
                "-DoutputDirectory=" + libraries);
        return libraries;
    }

    private static void twice(Path place, List<String> mainClasses, String... options) {
        for (int time = 1; time <= 2; time++) {
            List<String> drawn = new ArrayList<>();
            for (String mainClass : mainClasses) {
                List<String> command = new ArrayList<>(List.of(JAVA_HOME + "/bin/java"));
                command.addAll(List.of(options));
                command.add(mainClass);
                ProcessBuilder java = new ProcessBuilder(command).directory(place.toFile());
                java.environment().remove("JAVA_TOOL_OPTIONS");
                drawn.add(succeeds(ProgramRun.of(java)).replace('\n', ' ').strip());
            }
            assertThat(drawn.get(1)).as("gapless").isEqualTo(String.valueOf(time));
            assertThat(drawn.get(2)).as("ordered").isEqualTo(time == 1 ? "1 11" : "12 22");
            if (time == 1) {
                assertThat(drawn.get(0)).as("unique").isEqualTo("1 11");
            } else {
                assertThat(drawn.get(0)).as("unique").matches("\\d+ \\d+").isNotEqualTo("1 11");
            }
        }
    }

    private static ProgramRun javac(Path source, Path classes, String... options) {
        return javac(List.of(source), classes, options);
    }

    private static ProgramRun javac(List<Path> sources, Path classes, String... options) {
        List<String> command = new ArrayList<>(
                List.of(JAVA_HOME + "/bin/javac", "-proc:none", "-Xlint:all", "-Werror", "-d", classes.toString()));
        command.addAll(List.of(options));
        sources.forEach(source -> command.add(source.toString()));
        ProcessBuilder javac = new ProcessBuilder(command);
        javac.environment().remove("JAVA_TOOL_OPTIONS");
        return ProgramRun.of(javac);
    }

    private static String name(String program) {
        Matcher found = CLASS.matcher(program);
        assertThat(found.find()).as(program).isTrue();
        return found.group(1);
    }

    private static Path write(Path file, String text) throws IOException {
        return Files.writeString(file, text);
    }
}
