// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** Signals to processes. Thread-safe. */
public enum ProcessSignal {
    /** Ends it at once; it cannot clean up. */
    KILL,
    /** Suspends it. */
    STOP,
    /** Lets it go on. */
    CONT;

    private static final Path SHELL = Path.of("/bin/sh");

    /** Returns why processes cannot be stopped and continued here; empty if they can. They can be killed everywhere. */
    public static Optional<String> missing() {
        return Files.isExecutable(SHELL)
                ? Optional.empty()
                : Optional.of("processes cannot be stopped and continued on this system, which has no " + SHELL
                        + "; leave stop out of the faults");
    }

    /**
     * Sends it to processes; those that have ended in the meantime are ignored.
     *
     * @throws Unavailable if the system cannot send it
     */
    public void send(Collection<ProcessHandle> processes) {
        if (this == KILL) {
            processes.forEach(ProcessHandle::destroyForcibly);
        } else if (!processes.isEmpty()) {
            throughShell(processes);
        }
    }

    private void throughShell(Collection<ProcessHandle> processes) {
        missing().ifPresent(reason -> {
            throw new Unavailable(reason, null);
        });
        // The shell's own kill, because the program is not installed everywhere.
        Stream<String> command =
                Stream.of(SHELL.toString(), "-c", "for p; do kill -" + name() + " \"$p\" 2>/dev/null; done; :", "sh");
        Stream<String> ids = processes.stream().map(process -> Long.toString(process.pid()));
        try {
            Process shell = new ProcessBuilder(Stream.concat(command, ids).toList())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            shell.onExit().join();
        } catch (IOException e) {
            throw new Unavailable("cannot send " + name() + " to a process (" + e.getMessage() + ")", e);
        }
    }
}
