// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is to be done when the JVM ends: first the servers are killed, then their folders deleted. Thread-safe. */
final class ExitTasks {
    enum Stage {
        SERVERS,
        FOLDERS
    }

    private static final Map<Stage, Queue<Runnable>> TASKS = new EnumMap<>(Stage.class);

    static {
        for (Stage stage : Stage.values()) {
            TASKS.put(stage, new ConcurrentLinkedQueue<>());
        }
        Runtime.getRuntime().addShutdownHook(new Thread(ExitTasks::run, "seriatim-servers-exit"));
    }

    private ExitTasks() {}

    static void add(Stage stage, Runnable task) {
        tasks(stage).add(task);
    }

    private static Queue<Runnable> tasks(Stage stage) {
        return TASKS.computeIfAbsent(stage, key -> new ConcurrentLinkedQueue<>());
    }

    private static void run() {
        for (Stage stage : Stage.values()) {
            tasks(stage).forEach(ExitTasks::attempt);
        }
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            System.err.println("at exit: " + e.getMessage());
        }
    }
}
