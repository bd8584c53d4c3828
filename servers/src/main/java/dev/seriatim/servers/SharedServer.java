// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The JVM's one server of an engine, started for its first database. Thread-safe. */
final class SharedServer implements DatabaseSource {
    private final Software software;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Server server;

    SharedServer(Software software) {
        this.software = software;
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public List<Database> create(String name) {
        return Databases.create(name, List.of(server().administration()));
    }

    private Server server() {
        // Held while the server starts: who else needs it has to wait for it anyway.
        lock.lock();
        try {
            Server running = server == null ? Server.start(software, Ports.free(), Map.of()) : server;
            server = running;
            return running;
        } finally {
            lock.unlock();
        }
    }
}
