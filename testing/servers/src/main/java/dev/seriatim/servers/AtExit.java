// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs actions when the JVM ends: first tasks, then kills of servers, then deletions of folders. Thread-safe. */
final class AtExit {
    private static final Set<Runnable> FIRST = ConcurrentHashMap.newKeySet();
    private static final Set<ServerProcess> SERVERS = ConcurrentHashMap.newKeySet();
    private static final Set<TemporaryFolder> FOLDERS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(AtExit::clear, "seriatim-servers-exit"));
    }

    private AtExit() {}

    static void first(Runnable task) {
        FIRST.add(task);
    }

    static void kill(ServerProcess server) {
        SERVERS.add(server);
    }

    static void forget(ServerProcess server) {
        SERVERS.remove(server);
    }

    static void delete(TemporaryFolder folder) {
        FOLDERS.add(folder);
    }

    static void forget(TemporaryFolder folder) {
        FOLDERS.remove(folder);
    }

    private static void clear() {
        FIRST.forEach(AtExit::attempt);
        SERVERS.forEach(server -> attempt(server::kill));
        FOLDERS.forEach(folder -> attempt(folder::delete));
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            System.err.println("at exit: " + e.getMessage());
        }
    }
}
