// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder for data. A watchdog process outlives its owner, this JVM or another process, then kills the server in the
 * folder and deletes the folder. Other users may enter it, because a server may run as another user. Not thread-safe.
 */
final class TemporaryFolder {
    /** Contains the process id of the server in the folder. */
    static final String SERVER = "pid";

    // It reads from a pipe that closes when this JVM ends, however it ends. Another owner has no pipe to it, and is
    // polled once a second. An ended process keeps its id as a zombie until its parent waits for it, and a later
    // process that reuses the id has another start time; systems without /proc show neither. The working folder
    // distinguishes the server from another process that has reused its id. The programs on the path may be gone when
    // the build ends. A build may be ended by signalling all its processes, and this one must outlive the others.
    private static final String WATCHDOG = """
            PATH=/usr/bin:/bin:$PATH
            trap '' INT HUP TERM
            began() { read -r stat <"/proc/$1/stat" && set -- ${stat##*)} && [ "$1" != Z ] && echo "${20}"; }
            if [ -z "$2" ]; then
                cat >/dev/null
            elif [ ! -e /proc/self/stat ]; then
                while kill -0 "$2"; do sleep 1; done
            else
                began=$(began "$2")
                while [ -n "$began" ] && [ "$(began "$2")" = "$began" ]; do sleep 1; done
            fi
            read -r server <"$1/%s"
            case "$(readlink "/proc/$server/cwd")" in "$1"*) kill -9 "$server" ;; esac
            sleep 1
            %s
            rm -rf -- "$1"
            """.formatted(SERVER, Server.MEMORY_REMOVAL);

    // The pipe of a watchdog must stay open until the JVM ends.
    private static final Set<TemporaryFolder> GUARDED = ConcurrentHashMap.newKeySet();
    // One folder for all files, because each folder costs a process.
    private static final Once<TemporaryFolder> FILES = new Once<>(() -> create("files"));

    private final Path path;
    private Process watchdog;

    private TemporaryFolder(Path path) {
        this.path = path;
        this.watchdog = watchdog("");
        GUARDED.add(this);
    }

    static TemporaryFolder create(String purpose) {
        try {
            // The system's own name for it, by which the watchdog recognizes the server.
            Path path = Files.createTempDirectory("seriatim-" + purpose + "-").toRealPath();
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            return new TemporaryFolder(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    /** Returns a folder for files without a server, which is deleted with the JVM. */
    static Path forFiles(String purpose) {
        try {
            return Files.createTempDirectory(FILES.get().path, purpose + "-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for " + purpose, e);
        }
    }

    Path path() {
        return path;
    }

    /** From now on, it lives as long as another process. */
    void leaveTo(ProcessHandle owner) {
        Process ours = watchdog;
        watchdog = watchdog(Long.toString(owner.pid()));
        end(ours);
    }

    /** Deletes the folder, in which no server runs any more; files that cannot be deleted stay. */
    void delete() {
        end(watchdog);
        GUARDED.remove(this);
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + path + ", because " + e.getMessage());
        }
    }

    private Process watchdog(String owner) {
        // SIGKILL to a process group cannot be ignored, so it gets its own session and group.
        List<String> command = new ArrayList<>(Commands.find("setsid").isPresent() ? List.of("setsid") : List.of());
        command.addAll(List.of("sh", "-c", WATCHDOG, "sh", path.toString(), owner));
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start sh", e);
        }
    }

    private static void end(Process watchdog) {
        // Kill it before its pipe closes, or it would act.
        watchdog.destroyForcibly().onExit().join();
    }
}
