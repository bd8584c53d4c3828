// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Three MariaDB servers on this machine that replicate to each other with Galera; all of them accept writes. */
public final class GaleraCluster implements AutoCloseable {
    private static final int SIZE = 3;

    private final List<Server> nodes = new ArrayList<>();

    private GaleraCluster() {}

    /** Starts a separate cluster, and returns when all nodes are synchronized. */
    public static GaleraCluster start() {
        Availability.check(Availability.Product.GALERA.title(), GaleraNode.UNSTARTED.missing());
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
        List<GaleraNode.Member> members =
                Stream.generate(GaleraNode.Member::onFreePorts).limit(SIZE).toList();
        // One after another: a node that transfers its data to a joiner is not available to the next one.
        for (int node = 0; node < SIZE; node++) {
            nodes.add(Server.start(
                    new GaleraNode(node, members), members.get(node).sql(), Map.of()));
        }
    }

    /** Returns the nodes; each can be killed, restarted and suspended while another node remains to rejoin. */
    public List<Server> nodes() {
        return List.copyOf(nodes);
    }

    /** Creates a new, empty database, as seen through each node. */
    public List<Database> freshDatabaseOnEachNode() {
        return Databases.create(
                Databases.freshName(),
                nodes.stream().map(Server::administration).toList());
    }

    @Override
    public void close() {
        nodes.forEach(Server::close);
    }
}
