// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds programs and runs them to their end. */
final class Commands {
    private Commands() {}

    /** Runs a program to its end and returns its output; throws if it fails. */
    static String run(List<String> command) {
        ProgramRun run = ProgramRun.of(new ProcessBuilder(command).redirectErrorStream(true));
        if (run.code() != 0) {
            throw new IllegalStateException("%s failed with %d: %s"
                    .formatted(command.get(0), run.code(), run.out().strip()));
        }
        return run.out();
    }

    static boolean succeeds(List<String> command) {
        try {
            return ProgramRun.of(new ProcessBuilder(command)).code() == 0;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Finds a program on the path or in the neighbouring {@code sbin}, where Debian keeps servers. */
    static Optional<Path> find(String program) {
        List<Path> path = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        return Stream.concat(path.stream(), path.stream().map(folder -> folder.resolveSibling("sbin")))
                .map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Returns the program below the path in an environment variable; empty if not set. Throws if there is no such
     * program.
     */
    static Optional<Path> given(String variable, @Nullable String value, String below) {
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        Path program = Path.of(value).resolve(below);
        if (Files.isDirectory(program) || !Files.isExecutable(program)) {
            throw new IllegalArgumentException(
                    "%s is '%s', but %s is not a program".formatted(variable, value, program));
        }
        return Optional.of(program);
    }
}
