// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Outlives the owner of a server, however it ends, then kills the server and deletes its folder. */
final class Watchdog {
    // It reads from a pipe that closes when this JVM ends, however it ends. Another owner has no pipe to it, and is
    // polled once a second. An ended process keeps its id as a zombie until its parent waits for it, and a later
    // process that reuses the id has another start time; systems without /proc show neither. The working folder
    // distinguishes the server from another process that has reused its id. The programs on the path may be gone when
    // the build ends. A build may be ended by signalling all its processes, and this one must stay until the others are
    // gone.
    private static final String SCRIPT = """
            PATH=/usr/bin:/bin:$PATH
            trap '' INT HUP TERM
            began() { read -r stat <"/proc/$1/stat" && set -- ${stat##*)} && [ "$1" != Z ] && echo "${20}"; }
            if [ -z "$3" ]; then
                cat >/dev/null
            elif [ ! -e /proc/self/stat ]; then
                while kill -0 "$3"; do sleep 1; done
            else
                began=$(began "$3")
                while [ -n "$began" ] && [ "$(began "$3")" = "$began" ]; do sleep 1; done
            fi
            case "$(readlink "/proc/$2/cwd")" in "$1"*) kill -9 "$2" ;; esac
            sleep 1
            %s
            rm -rf -- "$1"
            """.formatted(ServerProcess.MEMORY_REMOVAL);

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    /** Watches a server that ends with this JVM. */
    static Watchdog over(Process server, Path folder) {
        return start(Long.toString(server.pid()), folder, "");
    }

    /** Watches a folder without a server, which is deleted with this JVM. */
    static Watchdog over(Path folder) {
        return start("", folder, "");
    }

    /** Watches a server that ends with another process. */
    static void over(Process server, Path folder, ProcessHandle owner) {
        start(Long.toString(server.pid()), folder, Long.toString(owner.pid()));
    }

    private static Watchdog start(String server, Path folder, String owner) {
        // SIGKILL to a process group cannot be ignored, so it gets its own session and group.
        List<String> command = new ArrayList<>(Commands.find("setsid").isPresent() ? List.of("setsid") : List.of());
        command.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString(), server, owner));
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            return new Watchdog(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start sh", e);
        }
    }

    /** Stops watching, after the server has been dealt with. */
    void dismiss() {
        // Kill it before its pipe closes, or it would act.
        shell.destroyForcibly().onExit().join();
    }
}
