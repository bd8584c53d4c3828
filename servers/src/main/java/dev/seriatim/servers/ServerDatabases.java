// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Databases on the JVM's one server of an engine. */
final class ServerDatabases implements DatabaseSource {
    private final Software software;
    private final Once<Server> server;

    ServerDatabases(Software software) {
        this.software = software;
        this.server = new Once<>(() -> Server.start(software, Ports.free(), Map.of()));
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public List<Database> create(String name) {
        return List.of(server.get().create(name));
    }
}
