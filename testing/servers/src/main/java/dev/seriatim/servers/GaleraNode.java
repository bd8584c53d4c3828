// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** MariaDB as one node of a cluster. The first node creates the data, and the others receive it. */
final class GaleraNode implements Software {
    private static final List<Path> PROVIDERS = List.of(
            Path.of("/usr/lib/galera/libgalera_smm.so"),
            Path.of("/usr/lib64/galera-4/libgalera_smm.so"),
            Path.of("/usr/lib/libgalera_smm.so"));

    /** Describes the software of any node; it has no ports and cannot start. */
    static final GaleraNode UNSTARTED = new GaleraNode(0, List.of());

    /**
     * A node's ports.
     *
     * @param sql for clients
     * @param group for cluster messages
     * @param increments for receiving incremental state transfers
     * @param state for receiving full state transfers
     */
    record Member(int sql, int group, int increments, int state) {
        static Member onFreePorts() {
            return new Member(Ports.free(), Ports.free(), Ports.free(), Ports.free());
        }
    }

    private final int node;
    private final List<Member> members;
    // The state transfer fails as root.
    private final MariadbSoftware mariadb =
            new MariadbSoftware(Unprivileged.isRoot() ? "mysql" : MariadbSoftware.whoRuns());

    GaleraNode(int node, List<Member> members) {
        this.node = node;
        this.members = List.copyOf(members);
    }

    @Override
    public String name() {
        return "galera";
    }

    @Override
    public Optional<String> missing() {
        boolean installed = mariadb.missing().isEmpty()
                && provider().isPresent()
                && Commands.find("rsync").isPresent();
        return installed
                ? Optional.empty()
                : Optional.of(
                        "mariadbd, its Galera library or rsync is not installed; apt install mariadb-server galera-4 rsync");
    }

    @Override
    public void initialize(Path folder) throws IOException {
        mariadb.initialize(folder);
    }

    @Override
    public List<String> command(Path folder, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(mariadb.command(folder, port, Software.with(replication(), settings)));
        if (node == 0 && !Files.exists(folder.resolve("data").resolve("grastate.dat"))) {
            command.add("--wsrep-new-cluster");
        }
        return command;
    }

    @Override
    public Database administration(int port) {
        return mariadb.administration(port);
    }

    @Override
    public String readiness() {
        return "SELECT variable_value = 4 FROM information_schema.global_status WHERE variable_name = 'WSREP_LOCAL_STATE'";
    }

    private Map<String, String> replication() {
        Member own = members.get(node);
        return Map.ofEntries(
                Map.entry("wsrep-on", "ON"),
                Map.entry("wsrep-provider", provider().orElseThrow().toString()),
                Map.entry("wsrep-cluster-address", "gcomm://" + addresses()),
                Map.entry("wsrep-provider-options", options(own)),
                Map.entry("wsrep-node-name", "node" + node),
                Map.entry("wsrep-node-address", "127.0.0.1:" + own.group()),
                Map.entry("wsrep-node-incoming-address", "127.0.0.1:" + own.sql()),
                Map.entry("wsrep-sst-method", "rsync"),
                Map.entry("wsrep-sst-receive-address", "127.0.0.1:" + own.state()),
                Map.entry("binlog-format", "ROW"),
                Map.entry("innodb-autoinc-lock-mode", "2"),
                Map.entry("innodb-log-file-size", "16M"));
    }

    private String addresses() {
        return members.stream().map(member -> "127.0.0.1:" + member.group()).collect(Collectors.joining(","));
    }

    private static String options(Member own) {
        return "base_host=127.0.0.1;base_port=%1$d;gmcast.listen_addr=tcp://127.0.0.1:%1$d;ist.recv_addr=127.0.0.1:%2$d;gcache.size=32M"
                .formatted(own.group(), own.increments());
    }

    private static Optional<Path> provider() {
        return PROVIDERS.stream().filter(Files::exists).findFirst();
    }
}
