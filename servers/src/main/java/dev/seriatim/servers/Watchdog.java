// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Outlives the process that a server is for, however it ends, to kill the server and delete its folder. */
final class Watchdog {
    // It reads from a pipe that ends with this JVM, whatever the JVM dies of. Another process has no pipe for
    // it, and is looked after once a second. One that has ended keeps its id as a zombie while nobody waits for
    // it, and another that gets the id later began at another time; systems without /proc tell neither. The
    // working folder tells the server from another process that has got its id. What the path named when the
    // build began may be gone when it ends. Who ends a build may send all of its processes a signal, and this
    // one is to stay until the others have gone.
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
            """.formatted(SharedMemory.REMOVAL);

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    /** For a server that goes with this JVM. */
    static Watchdog over(Process server, Path folder) {
        return start(Long.toString(server.pid()), folder, "");
    }

    /** For a folder without a server, which goes with this JVM. */
    static Watchdog over(Path folder) {
        return start("", folder, "");
    }

    /** For a server that goes with another process. */
    static void over(Process server, Path folder, ProcessHandle owner) {
        start(Long.toString(server.pid()), folder, Long.toString(owner.pid()));
    }

    private static Watchdog start(String server, Path folder, String owner) {
        // No signal can be refused that kills a whole group, hence the session, with a group, of its own.
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

    /** Sends it away, the server being dealt with. */
    void dismiss() {
        // Killed before its pipe is closed, or it would go to work.
        shell.destroyForcibly().onExit().join();
    }
}
