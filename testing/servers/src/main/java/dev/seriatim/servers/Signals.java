// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Sends signals to processes by their ids. */
final class Signals {
    private Signals() {}

    /** Sends a signal to all processes; ignores those that have ended in the meantime. */
    static void send(String signal, List<ProcessHandle> processes) {
        // The shell's built-in kill, because the program is not installed on every machine.
        Stream<String> command = Stream.of("sh", "-c", "kill -" + signal + " \"$@\" 2>/dev/null || true", "sh");
        Stream<String> ids = processes.stream().map(process -> Long.toString(process.pid()));
        Commands.run(Stream.concat(command, ids).toList());
    }

    /** Returns whether a process is running; a zombie is not. */
    static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && !isZombie(process);
    }

    /** Returns whether every thread of a process has been stopped or has ended. */
    static boolean isStopped(ProcessHandle process) {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> each = Files.list(threads)) {
            return each.allMatch(thread -> "TZX".indexOf(state(thread)) >= 0);
        } catch (IOException | UncheckedIOException e) {
            return true; // it has ended
        }
    }

    private static boolean isZombie(ProcessHandle process) {
        return state(Path.of("/proc", Long.toString(process.pid()))) == 'Z';
    }

    /** Returns the state of a process or thread as in {@code proc(5)}; X if it has ended. */
    private static char state(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }
}
