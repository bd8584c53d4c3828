// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.ProgramRun;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A copy of the checkout, whose Maven installs to a local repository of its own, which looks into the user's for what is
 * there already. Immutable.
 *
 * @param root the folder of the copy
 * @param environment the environment of its Maven
 */
record CheckoutCopy(Path root, Map<String, String> environment) {

    static final String JAVA_HOME = System.getProperty("java.home");
    private static final Set<String> NOT_COPIED = Set.of("target", ".git");

    /** Copies the checkout to a folder {@code checkout} of this folder. */
    static CheckoutCopy in(Path folder, Path repository) throws IOException {
        Path root = Files.createDirectory(folder.resolve("checkout"));
        Files.walkFileTree(Repository.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (NOT_COPIED.contains(String.valueOf(from.getFileName()))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copyOf(from));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !NOT_COPIED.contains(String.valueOf(from.getFileName()))) {
                    Files.copy(from, copyOf(from), StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }

            private Path copyOf(Path from) {
                return root.resolve(Repository.ROOT.relativize(from).toString());
            }
        });
        return new CheckoutCopy(
                root,
                Map.of(
                        "JAVA_HOME",
                        JAVA_HOME,
                        "MAVEN_ARGS",
                        "-B -Dstyle.color=never -Dmaven.repo.local=" + repository + " -Dmaven.repo.local.tail="
                                + System.getProperty("user.home") + "/.m2/repository"));
    }

    /** Runs Maven in a project's folder, and fails the test if it fails. */
    void maven(Path project, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("sh", root.resolve("mvnw").toString(), "-q"));
        command.addAll(List.of(arguments));
        ProcessBuilder maven = new ProcessBuilder(command).directory(project.toFile());
        maven.environment().putAll(environment);
        succeeds(ProgramRun.of(maven));
    }

    /** Returns what a program printed; fails the test if the program failed. */
    static String succeeds(ProgramRun run) {
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        return run.out();
    }

    /** Returns what a pattern's group matches in the parent POM. */
    static String inPom(String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(Repository.read("pom.xml"));
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }
}
