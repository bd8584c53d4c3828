// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.List;
import java.util.Optional;

/** Databases on the JVM's one cluster. */
final class GaleraDatabases implements DatabaseSource {
    private final Once<GaleraCluster> cluster = new Once<>(GaleraCluster::start);

    @Override
    public Optional<String> missing() {
        return GaleraNode.lacking();
    }

    @Override
    public List<Database> create(String name) {
        return cluster.get().create(name);
    }
}
