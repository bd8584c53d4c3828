// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for data, deleted at the latest with the JVM. Other users may enter it, because a server may run as another
 * user.
 */
record TemporaryFolder(Path path) {
    // One folder for all files, because each watched folder costs a process.
    private static final Once<Guarded> GUARDED = new Once<>(() -> {
        Path folder = create("files").path();
        return new Guarded(folder, Watchdog.over(folder));
    });

    /** Keeps a reference to the watchdog, because its pipe must stay open until the JVM ends. */
    private record Guarded(Path folder, Watchdog watchdog) {}

    static TemporaryFolder create(String purpose) {
        try {
            // The system's own name for it, by which the watchdog recognizes the server.
            Path path = Files.createTempDirectory("seriatim-" + purpose + "-").toRealPath();
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            TemporaryFolder folder = new TemporaryFolder(path);
            AtExit.delete(folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    /** Returns a folder for files without a server; it is deleted even if the JVM is killed. */
    static Path forFiles(String purpose) {
        try {
            return Files.createTempDirectory(GUARDED.get().folder(), purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    /** Deletes the folder; files that cannot be deleted stay. */
    void delete() {
        AtExit.forget(this);
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + path + ", because " + e.getMessage());
        }
    }
}
