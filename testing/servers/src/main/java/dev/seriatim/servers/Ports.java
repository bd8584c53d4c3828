// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Free ports of this machine, each returned once. A JVM takes blocks of ports: it listens on the first port of a block as long as it
 * lives, so that no other JVM takes the block, even before a server listens on its port. Thread-safe.
 */
final class Ports {
    // Below the system's ephemeral ports: a client must not take the port of a server that restarts.
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int BLOCK = 100;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final List<ServerSocket> BLOCKS = new ArrayList<>();
    private static int next;

    private Ports() {}

    static int free() {
        LOCK.lock();
        try {
            do {
                if (next % BLOCK == 0) {
                    next = takeBlock();
                }
                next++;
            } while (next % BLOCK == 0 || !isFree(next));
            return next;
        } finally {
            LOCK.unlock();
        }
    }

    private static int takeBlock() {
        while (true) {
            int first = BLOCK * ThreadLocalRandom.current().nextInt(LOWEST / BLOCK, HIGHEST / BLOCK);
            try {
                BLOCKS.add(listen(first));
                return first;
            } catch (IOException e) {
                // another JVM has it
            }
        }
    }

    static boolean isFree(int port) {
        try (var socket = listen(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
