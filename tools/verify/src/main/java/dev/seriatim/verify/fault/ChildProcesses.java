// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Starts, suspends and kills other processes. Stateless. */
public final class ChildProcesses {

    private static final Path SHELL = Path.of("/bin/sh");
    private static final List<String> SETSID = List.of("/usr/bin/setsid", "/bin/setsid");

    // The input of these scripts ends when this JVM ends, even by kill -9. Ctrl-C and a closed terminal do not end
    // them.
    private static final String SUSPEND =
            "trap '' INT HUP TERM; kill -s STOP \"$1\"; echo; cat >/dev/null; kill -s CONT \"$1\"";
    private static final String KILL =
            "trap '' INT HUP TERM; cat >/dev/null; kill -s KILL -- \"-$1\" || kill -s KILL \"$1\"";

    private ChildProcesses() {}

    /**
     * Returns the command that runs another command in a session of its own, which a terminal's Ctrl-C does not reach, where the system
     * has sessions. Its process keeps its number.
     */
    public static List<String> inOwnSession(List<String> command) {
        List<String> all = new ArrayList<>();
        SETSID.stream()
                .filter(program -> Files.isExecutable(Path.of(program)))
                .findFirst()
                .ifPresent(all::add);
        all.addAll(command);
        return all;
    }

    /** Returns whether processes can be suspended here. They can be killed everywhere. */
    static boolean canSuspend() {
        return Files.isExecutable(SHELL);
    }

    /** Throws {@link Misconfigured} if processes cannot be suspended here. */
    public static void checkSuspension() {
        if (!canSuspend()) {
            throw new Misconfigured("processes cannot be stopped and continued on this system, which has no " + SHELL
                    + "; leave stop out of the faults");
        }
    }

    /** Suspends processes; ignores ended ones. */
    public static void suspend(Collection<ProcessHandle> processes) {
        signal("STOP", processes);
    }

    /** Resumes processes. Otherwise like {@link #suspend(Collection)}. */
    public static void resume(Collection<ProcessHandle> processes) {
        signal("CONT", processes);
    }

    private static void signal(String name, Collection<ProcessHandle> processes) {
        // The shell's own kill, because the program is not installed everywhere.
        String script = "for p; do kill -" + name + " \"$p\" 2>/dev/null; done; :";
        try {
            run(script, processes.stream().map(process -> Long.toString(process.pid())));
        } catch (IOException e) {
            throw new Unavailable("cannot send " + name + " to a process (" + e.getMessage() + ")", e);
        }
    }

    /** Kills the rest of the session of a process that has ended. Does nothing on a system without sessions. */
    static void killSession(Process leader) {
        if (inOwnSession(List.of()).isEmpty()) {
            return;
        }
        try {
            run("kill -s KILL -- \"-$1\"", Stream.of(Long.toString(leader.pid())));
        } catch (IOException e) {
            // there is no shell, and so no process that it has started
        }
    }

    private static void run(String script, Stream<String> arguments) throws IOException {
        Stream<String> shell = Stream.of(SHELL.toString(), "-c", script, "sh");
        new ProcessBuilder(Stream.concat(shell, arguments).toList())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .onExit()
                .join();
    }

    private static Process guard(String script, ProcessHandle process) throws IOException {
        return new ProcessBuilder(
                        inOwnSession(List.of(SHELL.toString(), "-c", script, "sh", Long.toString(process.pid()))))
                .redirectError(Redirect.DISCARD)
                .start();
    }

    /** Starts a process that kills the group of another one if this JVM ends first. Kill it to prevent that. */
    static Process killWithThisJvm(Process other) throws IOException {
        return guard(KILL, other.toHandle());
    }

    /** A suspended process. It continues on close, or when this JVM ends: otherwise it would keep its locks in the database. */
    record Suspension(Process guard) implements AutoCloseable {
        @Override
        public void close() {
            try {
                guard.getOutputStream().close();
            } catch (IOException e) {
                // it has ended, and the process continues
            }
            guard.onExit().join();
        }
    }

    /** Suspends a process, if it is still running. */
    static Suspension suspend(ProcessHandle process) {
        try {
            Process guard = guard(SUSPEND, process);
            guard.getInputStream().read(); // returns when the process is suspended
            return new Suspension(guard);
        } catch (IOException e) {
            throw new Unavailable("cannot stop a process (" + e.getMessage() + ")", e);
        }
    }
}
