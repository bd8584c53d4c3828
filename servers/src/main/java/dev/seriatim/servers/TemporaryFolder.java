// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for data, deleted with the JVM at the latest. Others may enter it, since a server may run as another user. */
record TemporaryFolder(Path path) {
    // One for all files, since each that is watched costs a process.
    private static final Once<Guarded> GUARDED = new Once<>(() -> {
        Path folder = create("files").path();
        return new Guarded(folder, Watchdog.over(folder));
    });

    /** Keeps hold of the watchdog, whose pipe is to end with the JVM and no sooner. */
    private record Guarded(Path folder, Watchdog watchdog) {}

    static TemporaryFolder create(String purpose) {
        try {
            // As the system names it, by which the watchdog knows the server.
            Path path = Files.createTempDirectory("seriatim-" + purpose + "-").toRealPath();
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            TemporaryFolder folder = new TemporaryFolder(path);
            AtExit.delete(folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    /** A folder for files that no server is for; it too goes with a JVM that is killed. */
    static Path forFiles(String purpose) {
        try {
            return Files.createTempDirectory(GUARDED.get().folder(), purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    /** Deletes what is there; what cannot be deleted stays. */
    void delete() {
        AtExit.forget(this);
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + path + ", since " + e.getMessage());
        }
    }
}
