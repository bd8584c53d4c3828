// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process and its descendants, also children that it has seen and whose parent has ended. Not thread-safe. */
final class ProcessTree {

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    /** Some containers never collect orphans. */
    private static final Duration LONGEST_COLLECTION = Duration.ofSeconds(5);

    private final ProcessHandle root;
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /** Returns the current processes, parents first. */
    List<ProcessHandle> processes() {
        seen.add(root);
        List<ProcessHandle> all = ProcessHandle.allProcesses().toList();
        while (seen.addAll(all.stream().filter(this::isChild).toList())) {
            // children of these may follow
        }
        seen.removeIf(process -> !isRunning(process));
        return List.copyOf(seen);
    }

    private boolean isChild(ProcessHandle process) {
        return process.parent().filter(seen::contains).isPresent();
    }

    /** Suspends all, so that none can start another. */
    void stop() {
        Set<ProcessHandle> stopped = new LinkedHashSet<>();
        while (true) {
            List<ProcessHandle> running = new ArrayList<>(processes());
            running.removeAll(stopped);
            if (running.isEmpty()) {
                return;
            }
            ChildProcesses.suspend(running);
            stopped.addAll(running);
        }
    }

    /** Resumes all, children first: a parent that watches its children must not see them stopped. */
    void resume() {
        List<ProcessHandle> childrenFirst = new ArrayList<>(processes());
        Collections.reverse(childrenFirst);
        ChildProcesses.resume(childrenFirst);
    }

    /** Kills all at once, and returns the processes that have not ended after {@code atMost}. */
    Collection<ProcessHandle> kill(Duration atMost) {
        // Suspended first, so that no process sees the end of another, or starts one.
        if (ChildProcesses.canSuspend()) {
            stop();
        }
        List<ProcessHandle> all = processes();
        Set<ProcessHandle> parents =
                all.stream().flatMap(process -> process.parent().stream()).collect(Collectors.toSet());
        all.forEach(ProcessHandle::destroyForcibly);
        await(atMost, () -> all.stream().noneMatch(ProcessTree::isRunning));
        // PostgreSQL does not start while its last main process is in the system's process table.
        await(LONGEST_COLLECTION, () -> all.stream().filter(parents::contains).noneMatch(ProcessHandle::isAlive));
        return all.stream().filter(ProcessTree::isRunning).toList();
    }

    private static void await(Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns whether a process is running. A zombie is not. */
    static boolean isRunning(ProcessHandle process) {
        // Checked twice, because it may end and be collected in between.
        return process.isAlive() && !isZombie(process) && process.isAlive();
    }

    private static boolean isZombie(ProcessHandle process) {
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        try (Stream<String> lines = Files.lines(stat, StandardCharsets.ISO_8859_1)) {
            String line = lines.findFirst().orElse("");
            return line.substring(line.lastIndexOf(')') + 1).startsWith(" Z");
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
