// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A running server: its main process and its children. It ends with the JVM, or with the process it is left to. */
final class ServerProcess {
    /**
     * Removes the shared memory segment with which PostgreSQL detects other servers on the data in the folder
     * {@code $1}; its id is at the end of the seventh line of {@code postmaster.pid}. A killed server leaves the segment
     * in the kernel, which has room for a few thousand.
     */
    static final String MEMORY_REMOVAL = "ipcrm -m \"$(sed -n '7s/.* //p' \"$1/data/postmaster.pid\")\"\n";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TAIL = 1500;

    private final Process process;
    private final Path folder;
    private final Path log;
    private final Watchdog watchdog;

    private ServerProcess(Process process, Path folder, Path log) {
        this.process = process;
        this.folder = folder;
        this.log = log;
        this.watchdog = Watchdog.over(process, folder);
        AtExit.kill(this);
    }

    /** Starts a server; its output is appended to a file in the folder. */
    static ServerProcess start(List<String> command, Path folder) {
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new ServerProcess(builder.start(), folder, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    /**
     * Waits until the server answers; kills it otherwise.
     *
     * @throws IllegalStateException with the end of the log, if the server ended or did not answer in time
     */
    void await(Duration patience, String name, BooleanSupplier answers) {
        try {
            Waiting.until(patience, name + " to answer", () -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException(name + " ended during startup");
                }
                return answers.getAsBoolean();
            });
        } catch (IllegalStateException e) {
            kill();
            throw new IllegalStateException(e.getMessage() + "; its log ends with: " + logTail(), e);
        }
    }

    void kill() {
        if (process.isAlive()) {
            killAll();
        }
        if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
            // Fails if the server ended normally, because it has removed the segment itself.
            Commands.succeeds(List.of("sh", "-c", MEMORY_REMOVAL, "sh", folder.toString()));
        }
        watchdog.dismiss();
        AtExit.forget(this);
    }

    /** From now on, it lives as long as another process. */
    void leaveTo(ProcessHandle owner) {
        Watchdog.over(process, folder, owner);
        watchdog.dismiss();
        AtExit.forget(this);
    }

    private void killAll() {
        // Suspended first, with its children, so that none can start another, which would keep its parent's ports.
        List<ProcessHandle> stopped = List.of();
        List<ProcessHandle> all = all();
        while (!stopped.containsAll(all)) {
            signal("STOP", all);
            stopped = all;
            all = all();
        }
        List<ProcessHandle> killed = stopped;
        signal("KILL", killed);
        Waiting.until(PATIENCE, "the end of the server", () -> killed.stream().allMatch(ServerProcess::hasEnded));
    }

    void suspend() {
        signal("STOP", List.of(process.toHandle()));
        List<ProcessHandle> suspended = all();
        signal("STOP", suspended);
        // On a busy machine, threads run on for some milliseconds after the signal.
        Waiting.until(
                PATIENCE, "the stop of the server", () -> suspended.stream().allMatch(ServerProcess::isStopped));
    }

    void resume() {
        List<ProcessHandle> childrenFirst = new ArrayList<>(all());
        Collections.reverse(childrenFirst);
        signal("CONT", childrenFirst);
    }

    private String logTail() {
        try {
            String text = Files.readString(log, StandardCharsets.ISO_8859_1);
            return text.substring(Math.max(0, text.length() - TAIL)).strip();
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    private List<ProcessHandle> all() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
    }

    /** Sends a signal to all processes; ignores those that have ended in the meantime. */
    private static void signal(String signal, List<ProcessHandle> processes) {
        // The shell's built-in kill, because the program is not installed on every machine.
        Stream<String> command = Stream.of("sh", "-c", "kill -" + signal + " \"$@\" 2>/dev/null || true", "sh");
        Stream<String> ids = processes.stream().map(process -> Long.toString(process.pid()));
        Commands.run(Stream.concat(command, ids).toList());
    }

    /** Returns whether a process has ended; a zombie has. */
    private static boolean hasEnded(ProcessHandle process) {
        return !process.isAlive() || state(Path.of("/proc", Long.toString(process.pid()))) == 'Z';
    }

    /** Returns whether every thread of a process has been stopped or has ended. */
    private static boolean isStopped(ProcessHandle process) {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> each = Files.list(threads)) {
            return each.allMatch(thread -> "TZX".indexOf(state(thread)) >= 0);
        } catch (IOException | UncheckedIOException e) {
            return true; // it has ended
        }
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
