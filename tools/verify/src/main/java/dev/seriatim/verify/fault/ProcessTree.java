// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A process and all that it has started, at any depth. Remembers those that it has seen, so that children are found although
 * their parent has ended. Not thread-safe.
 */
final class ProcessTree {

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    /** Bounded, because in some containers nobody collects orphans. */
    private static final Duration LONGEST_COLLECTION = Duration.ofSeconds(5);

    private final ProcessHandle root;
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();
    private List<ProcessHandle> killedParents = List.of();

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /** Looks at the processes of now, and returns all that are alive, parents first. */
    List<ProcessHandle> processes() {
        seen.add(root);
        // The system is asked once, and not for each of a server's many processes.
        Map<ProcessHandle, List<ProcessHandle>> children = new HashMap<>();
        ProcessHandle.allProcesses()
                .forEach(process -> process.parent()
                        .ifPresent(parent -> children.computeIfAbsent(parent, first -> new ArrayList<>())
                                .add(process)));
        Deque<ProcessHandle> parents = new ArrayDeque<>(seen);
        while (!parents.isEmpty()) {
            for (ProcessHandle child : children.getOrDefault(parents.remove(), List.of())) {
                if (seen.add(child)) {
                    parents.add(child);
                }
            }
        }
        seen.removeIf(process -> !isRunning(process));
        return List.copyOf(seen);
    }

    /** Returns the children of all processes. The system is asked once, and not for each of a server's many processes. */
    private static Map<ProcessHandle, List<ProcessHandle>> children() {
        Map<ProcessHandle, List<ProcessHandle>> children = new HashMap<>();
        ProcessHandle.allProcesses()
                .forEach(process -> process.parent()
                        .ifPresent(parent -> children.computeIfAbsent(parent, first -> new ArrayList<>())
                                .add(process)));
        return children;
    }

    /** Suspends all; when this returns, none of them can start another. */
    void stop() {
        Set<ProcessHandle> stopped = new LinkedHashSet<>();
        while (true) {
            List<ProcessHandle> running = new ArrayList<>(processes());
            running.removeAll(stopped);
            if (running.isEmpty()) {
                return;
            }
            ProcessSignal.STOP.send(running);
            stopped.addAll(running);
        }
    }

    /** Resumes all, children first: a parent that watches its children is not to see them stopped. */
    void resume() {
        List<ProcessHandle> childrenFirst = new ArrayList<>(processes());
        Collections.reverse(childrenFirst);
        ProcessSignal.CONT.send(childrenFirst);
    }

    /**
     * Kills all at once; returns the processes that have not ended after a time.
     *
     * @param atMost how long to wait for their end
     */
    Collection<ProcessHandle> kill(Duration atMost) {
        // Suspended first, so that none sees another one's end, and none starts another.
        if (ProcessSignal.missing().isEmpty()) {
            stop();
        }
        List<ProcessHandle> all = processes();
        killedParents = all.stream().filter(children()::containsKey).toList();
        ProcessSignal.KILL.send(all);
        await(atMost, () -> all.stream().noneMatch(ProcessTree::isRunning));
        return all.stream().filter(ProcessTree::isRunning).toList();
    }

    /**
     * Waits until those killed that had children have left the system's table, where they stay until somebody collects them:
     * PostgreSQL does not start while its last main process is there.
     */
    void awaitCollection() {
        await(LONGEST_COLLECTION, () -> killedParents.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static void await(Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns whether a process is running; one that has ended and that its parent has not looked at yet is not. */
    static boolean isRunning(ProcessHandle process) {
        // Twice, since it may end and be collected while it is looked at.
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
