// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Three MariaDB servers on this machine that replicate to each other with Galera; all of them take writes. */
public final class GaleraCluster implements AutoCloseable {
    private static final int SIZE = 3;

    private final List<Server> nodes = new ArrayList<>();

    private GaleraCluster() {}

    /** Starts a cluster of one's own; returns when all nodes are synchronized. */
    public static GaleraCluster start() {
        Availability.check(Product.GALERA.title(), GaleraNode.lacking());
        GaleraCluster cluster = new GaleraCluster();
        try {
            cluster.startNodes();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startNodes() {
        List<GaleraPorts> members =
                IntStream.range(0, SIZE).mapToObj(node -> GaleraPorts.free()).toList();
        // One after the other: a node that hands its data to one joiner is not there for the next.
        for (int node = 0; node < SIZE; node++) {
            nodes.add(Server.start(
                    new GaleraNode(node, members), members.get(node).sql(), Map.of()));
        }
    }

    /** The nodes; each may be killed, restarted and suspended while another one is left to join. */
    public List<Server> nodes() {
        return List.copyOf(nodes);
    }

    /** A new, empty database, as each node offers it. */
    public List<Database> freshDatabaseOnEachNode() {
        return create(Databases.freshName());
    }

    List<Database> administrations() {
        return nodes.stream().map(Server::administration).toList();
    }

    private List<Database> create(String name) {
        return Databases.create(name, administrations());
    }

    @Override
    public void close() {
        nodes.forEach(Server::close);
    }
}
