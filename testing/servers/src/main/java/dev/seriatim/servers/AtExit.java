// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs tasks when the JVM ends, in any order. Thread-safe. */
final class AtExit {
    private static final Set<Runnable> TASKS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> TASKS.forEach(AtExit::attempt), "seriatim-servers-exit"));
    }

    private AtExit() {}

    static void run(Runnable task) {
        TASKS.add(task);
    }

    static void forget(Runnable task) {
        TASKS.remove(task);
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            System.err.println("at exit: " + e.getMessage());
        }
    }
}
