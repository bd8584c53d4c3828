// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The checkout that the tests run in. */
final class Repository {

    static final Path ROOT = root();

    private Repository() {}

    static String read(String file) {
        return read(ROOT.resolve(file));
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Java sources below a folder, such as {@code core/src/main/java}. */
    static List<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("ARCHITECTURE.md"))) {
            here = Objects.requireNonNull(here.getParent(), "no ARCHITECTURE.md above the working directory");
        }
        return here;
    }
}
