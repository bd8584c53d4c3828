// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout that the tests run in. */
final class Repository {

    static final Path ROOT = root();
    private static final Pattern MODULE = Pattern.compile("<module>([\\w/-]+)</module>");

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

    /** Returns the folders of all modules, as the POMs list them. */
    static List<Path> modules() {
        return modules(ROOT).distinct().toList();
    }

    private static Stream<Path> modules(Path parent) {
        return MODULE.matcher(read(parent.resolve("pom.xml")))
                .results()
                .map(module -> parent.resolve(module.group(1)))
                .flatMap(module -> Stream.concat(Stream.of(module), modules(module)));
    }

    /** Returns the folder of a module. */
    static Path module(String name) {
        return modules().stream()
                .filter(module -> module.endsWith(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the POMs list no module " + name));
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
