// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.trials.ApplicationKills.Weakening;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.GaleraCluster;
import dev.seriatim.servers.Server;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code kill -9} of a server while processes draw in every mode. */
@Timeout(3600)
@Tag("long")
@Order(1)
class KilledServerTest {

    private static final int CONTROL_KILLS = 10;

    @Test
    void postgresql_comes_back_and_the_process_goes_on() throws Exception {
        Scale.assume(Engine.POSTGRESQL);
        try (Server server = Server.postgresql(Map.of())) {
            keepsItsPromises(server);
        }
    }

    @Test
    void mariadb_comes_back_and_the_process_goes_on() throws Exception {
        Scale.assume(Engine.MARIADB);
        try (Server server = Server.mariadb(Map.of())) {
            keepsItsPromises(server);
        }
    }

    @Test
    void mysql_comes_back_and_the_process_goes_on() throws Exception {
        Scale.assume(Engine.MYSQL);
        try (Server server = Server.mysql(Map.of())) {
            keepsItsPromises(server);
        }
    }

    @Test
    void h2_comes_back_and_the_process_goes_on() throws Exception {
        Scale.assume(Engine.H2);
        try (Server server = Server.h2()) {
            keepsItsPromises(server);
        }
    }

    @Test
    void a_node_of_a_cluster_comes_back_and_all_processes_go_on() throws Exception {
        Scale.assumeSoak("a node takes long to join");
        Scale.assume(Engine.GALERA);
        try (GaleraCluster cluster = GaleraCluster.start()) {
            keepsItsPromises(cluster.freshDatabaseOnEachNode(), cluster.nodes().get(0));
        }
    }

    @Test
    void the_trial_finds_what_postgresql_loses_without_synchronous_commit() throws Exception {
        Scale.assume(Engine.POSTGRESQL);
        try (Server server = Server.postgresql(Map.of("synchronous_commit", "off", "wal_writer_delay", "10s"))) {
            // A checkpoint, so that at least the sequences exist afterwards.
            losesSomething(server, "CHECKPOINT");
        }
    }

    @Test
    void the_trial_finds_what_mariadb_loses_without_a_flush_at_each_commit() throws Exception {
        Scale.assume(Engine.MARIADB);
        try (Server server = Server.mariadb(Map.of())) {
            losesSomething(server, "SET GLOBAL innodb_flush_log_at_trx_commit = 0");
        }
    }

    @Test
    void the_trial_finds_what_h2_loses_with_its_own_write_delay() throws Exception {
        Scale.assume(Engine.H2);
        try (Server server = Server.h2()) {
            // The store sets it to 0 on opening.
            losesSomething(server, "SET WRITE_DELAY 500");
        }
    }

    private static void keepsItsPromises(Server server) throws Exception {
        keepsItsPromises(List.of(server.freshDatabase()), server);
    }

    private static void keepsItsPromises(List<Database> nodes, Server server) throws Exception {
        int kills = Scale.chosen().killedServers();
        try (EngineTrial trial = EngineTrial.on(nodes)) {
            ServerKills.Outcome outcome = new ServerKills(trial, server, Weakening.NONE).run(kills, trial.start(1));
            assertThat(outcome.findings()).isEmpty();
            Scale.chosen()
                    .tell("server killed " + kills + " times, all draw again within "
                            + outcome.longestRecovery().toMillis() + " ms, on " + trial);
        }
    }

    private static void losesSomething(Server server, String weakening) throws Exception {
        Database database = server.freshDatabase();
        try (EngineTrial trial = EngineTrial.onWeak(database)) {
            ServerKills kills = new ServerKills(trial, server, process -> database.execute(weakening));
            assertThat(kills.run(CONTROL_KILLS, trial.start(1)).findings())
                    .as("that nothing was found, although " + weakening)
                    .isNotEmpty();
        }
    }
}
