// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Databases on the shared server of an engine: that of the build, or of the JVM outside a build. */
final class ServerDatabases implements DatabaseSource {
    private final Software software;
    private final Once<Database> administration;

    ServerDatabases(Software software) {
        this.software = software;
        this.administration = new Once<>(() -> Build.current()
                .map(build -> software.administration(
                        Integer.parseInt(build.shared(software.name(), maven -> startFor(software, maven)))))
                .orElseGet(() -> start(software).administration()));
    }

    private static String startFor(Software software, ProcessHandle maven) {
        Server server = start(software);
        server.leaveTo(maven);
        return Integer.toString(server.port());
    }

    private static Server start(Software software) {
        return Server.start(software, Ports.free(), Map.of());
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public List<Database> create(String name) {
        return List.of(software.create(administration.get(), name));
    }
}
