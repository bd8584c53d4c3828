// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Databases on a server, or on the nodes of a cluster, that the whole build shares; outside a build, the JVM. */
final class SharedServers implements Engine.Source {
    private final Software software;
    private final Supplier<List<Server>> starter;
    private final Once<List<Database>> nodes = new Once<>(this::administrations);

    SharedServers(Software software) {
        this(software, () -> List.of(Server.start(software, Ports.free(), Map.of())));
    }

    SharedServers(Software software, Supplier<List<Server>> starter) {
        this.software = software;
        this.starter = starter;
    }

    private List<Database> administrations() {
        String ports = Build.current()
                .map(build -> build.shared(software.name(), this::startFor))
                .orElseGet(() -> ports(starter.get()));
        return Stream.of(ports.split(" ", -1))
                .map(port -> software.administration(Integer.parseInt(port)))
                .toList();
    }

    private String startFor(ProcessHandle maven) {
        List<Server> started = starter.get();
        started.forEach(server -> server.leaveTo(maven));
        return ports(started);
    }

    private static String ports(List<Server> servers) {
        return servers.stream().map(server -> Integer.toString(server.port())).collect(Collectors.joining(" "));
    }

    @Override
    public Optional<String> missing() {
        return software.missing();
    }

    @Override
    public List<Database> create(String name) {
        return software.create(nodes.get(), name);
    }
}
