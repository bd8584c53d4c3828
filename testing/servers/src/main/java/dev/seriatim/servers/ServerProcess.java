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
import java.util.stream.Stream;

/** A running server: its main process and its children. It does not outlive the JVM, or the process it is left to. */
final class ServerProcess {
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

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        if (process.isAlive()) {
            killAll();
        }
        SharedMemory.remove(folder);
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
            Signals.send("STOP", all);
            stopped = all;
            all = all();
        }
        List<ProcessHandle> killed = stopped;
        Signals.send("KILL", killed);
        Waiting.until(PATIENCE, "the end of the server", () -> killed.stream().noneMatch(Signals::isRunning));
    }

    void suspend() {
        Signals.send("STOP", List.of(process.toHandle()));
        List<ProcessHandle> suspended = all();
        Signals.send("STOP", suspended);
        // On a busy machine, threads run on for some milliseconds after the signal.
        Waiting.until(
                PATIENCE, "the stop of the server", () -> suspended.stream().allMatch(Signals::isStopped));
    }

    void resume() {
        List<ProcessHandle> childrenFirst = new ArrayList<>(all());
        Collections.reverse(childrenFirst);
        Signals.send("CONT", childrenFirst);
    }

    String logTail() {
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
}
