// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three MariaDB servers on this machine that replicate to each other with Galera; all of them accept writes. */
public final class GaleraCluster implements AutoCloseable {
    private static final int SIZE = 3;
    private static final List<Path> PROVIDERS = List.of(
            Path.of("/usr/lib/galera/libgalera_smm.so"),
            Path.of("/usr/lib64/galera-4/libgalera_smm.so"),
            Path.of("/usr/lib/libgalera_smm.so"));

    private final List<Server> nodes = new ArrayList<>();

    private GaleraCluster() {}

    /** Starts a separate cluster, and returns when all nodes are synchronized. */
    public static GaleraCluster start() {
        return start(node -> Map.of());
    }

    /** Starts a cluster with settings of each node, which are counted from 0. */
    public static GaleraCluster start(IntFunction<Map<String, String>> settings) {
        Availability.check("Galera", Node.UNSTARTED.missing());
        GaleraCluster cluster = new GaleraCluster();
        try {
            List<Integer> groupPorts =
                    IntStream.range(0, SIZE).mapToObj(node -> Ports.free()).toList();
            // One after another: a node that transfers its data to a joiner is not available to the next one.
            for (int node = 0; node < SIZE; node++) {
                Node software = new Node(node, groupPorts, Ports.free(), Ports.free());
                cluster.nodes.add(Server.start(software, settings.apply(node)));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
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

    /**
     * MariaDB as one node. The first node creates the data, and the others receive it.
     *
     * @param groupPorts the ports for messages of the cluster, one for each node
     * @param incrementsPort for incremental state transfers; {@code statePort} is for full ones
     */
    record Node(int node, List<Integer> groupPorts, int incrementsPort, int statePort) implements Software {
        /** The software of any node; it has no ports and cannot start. */
        static final Node UNSTARTED = new Node(0, List.of(), 0, 0);

        private static final MariadbSoftware MARIADB = new MariadbSoftware("");

        @Override
        public String name() {
            return "galera";
        }

        @Override
        public Optional<String> missing() {
            boolean installed = MARIADB.missing().isEmpty()
                    && PROVIDERS.stream().anyMatch(Files::exists)
                    && Commands.find("rsync").isPresent();
            return installed
                    ? Optional.empty()
                    : Optional.of(
                            "mariadbd, its Galera library or rsync is not installed; apt install mariadb-server galera-4 rsync");
        }

        @Override
        public void initialize(Path folder, int port) throws IOException {
            MARIADB.initialize(folder, port);
        }

        @Override
        public List<String> command(Path folder, int port, Map<String, String> settings) {
            List<String> command =
                    new ArrayList<>(MARIADB.command(folder, port, Software.with(replication(port), settings)));
            if (node == 0 && !Files.exists(folder.resolve("data").resolve("grastate.dat"))) {
                command.add("--wsrep-new-cluster");
            }
            return command;
        }

        @Override
        public Database administration(int port) {
            return MARIADB.administration(port);
        }

        @Override
        public String readiness() {
            return "SELECT variable_value = 4 FROM information_schema.global_status WHERE variable_name = 'WSREP_LOCAL_STATE'";
        }

        private Map<String, String> replication(int port) {
            int group = groupPorts.get(node);
            String addresses =
                    groupPorts.stream().map(other -> "127.0.0.1:" + other).collect(Collectors.joining(","));
            Path provider = PROVIDERS.stream().filter(Files::exists).findFirst().orElseThrow();
            return Map.ofEntries(
                    Map.entry("wsrep-on", "ON"),
                    Map.entry("wsrep-provider", provider.toString()),
                    Map.entry("wsrep-cluster-address", "gcomm://" + addresses),
                    Map.entry(
                            "wsrep-provider-options",
                            "base_host=127.0.0.1;base_port=%1$d;gmcast.listen_addr=tcp://127.0.0.1:%1$d;ist.recv_addr=127.0.0.1:%2$d;gcache.size=32M"
                                    .formatted(group, incrementsPort)),
                    Map.entry("wsrep-node-name", "node" + node),
                    Map.entry("wsrep-node-address", "127.0.0.1:" + group),
                    Map.entry("wsrep-node-incoming-address", "127.0.0.1:" + port),
                    Map.entry("wsrep-sst-method", "rsync"),
                    Map.entry("wsrep-sst-receive-address", "127.0.0.1:" + statePort),
                    Map.entry("binlog-format", "ROW"),
                    Map.entry("innodb-autoinc-lock-mode", "2"),
                    Map.entry("innodb-log-file-size", "16M"));
        }
    }
}
