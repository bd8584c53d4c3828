// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Outlives a JVM that is killed, to kill its server and delete the folder. */
final class Watchdog {
    // It reads from a pipe that ends with the JVM, whatever the JVM dies of. The working folder tells the server from
    // another process that has got its id since.
    private static final String SCRIPT = """
            trap '' INT HUP
            cat >/dev/null
            case "$(readlink "/proc/$1/cwd")" in "$2"*) kill -9 "$1" ;; esac
            sleep 1
            rm -rf -- "$2"
            """;

    private final Process shell;

    private Watchdog(Process shell) {
        this.shell = shell;
    }

    static Watchdog over(Process server, Path folder) {
        var builder = new ProcessBuilder("sh", "-c", SCRIPT, "sh", "" + server.pid(), folder.toString())
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
