// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Databases on the shared cluster: that of the build, or of the JVM outside a build. */
final class GaleraDatabases implements DatabaseSource {
    private final Once<List<Database>> nodes = new Once<>(() -> Build.current()
            .map(build -> nodesAt(build.shared("galera", GaleraDatabases::startFor)))
            .orElseGet(() -> GaleraCluster.start().administrations()));

    private static String startFor(ProcessHandle maven) {
        List<Server> started = GaleraCluster.start().nodes();
        started.forEach(node -> node.leaveTo(maven));
        return started.stream().map(node -> Integer.toString(node.port())).collect(Collectors.joining(" "));
    }

    private static List<Database> nodesAt(String ports) {
        return Arrays.stream(ports.split(" ", -1))
                .map(port -> new MariadbSoftware().administration(Integer.parseInt(port)))
                .toList();
    }

    @Override
    public Optional<String> missing() {
        return GaleraNode.lacking();
    }

    @Override
    public List<Database> create(String name) {
        return Databases.create(name, nodes.get());
    }
}
