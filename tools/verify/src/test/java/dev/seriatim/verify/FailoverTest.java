// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.GaleraCluster;
import dev.seriatim.servers.Server;
import dev.seriatim.verify.fault.FaultKind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.TcpLink;
import dev.seriatim.verify.fault.WireProtocol;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Draws in every mode go on while a standby takes over again and again, and while the nodes of a cluster are killed in turn; {@code -Dseriatim.trials.rounds} says how often. */
@Timeout(7200)
@Tag("long")
@EnabledIfSystemProperty(
        named = "seriatim.trials",
        matches = "soak",
        disabledReason = "takes an hour; -Dseriatim.trials=soak runs it")
class FailoverTest {

    private static final int FAILOVERS = 50;
    private static final int FAILOVERS_OF_CONTROL = 10;
    private static final Duration LONGEST = Duration.ofMinutes(110);

    private static int failovers() {
        return TestProperties.ofThisJvm().count(Property.TRIALS_ROUNDS, FAILOVERS);
    }

    private static Verdict draw(List<String> urls, InjectedFault failover, int times) throws InterruptedException {
        TrialPlan plan = new TrialPlan(
                "FailoverTest",
                urls,
                List.of(DrawMode.values()),
                new TrialPlan.Load(2, 2),
                new TrialPlan.Faults(Set.of(FaultKind.KILL, FaultKind.STOP), 1, Optional.empty(), List.of(failover)),
                new TrialPlan.Limits(LONGEST, Duration.ofSeconds(60), Map.of(Goal.SERVER_KILLS, (long) times)),
                false,
                List.of());
        Verdict verdict = new Trial(
                        plan,
                        new AtomicBoolean(),
                        new StatusLine(new PrintWriter(Writer.nullWriter()), false, Map.of()))
                .run();
        verdict.document().print(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        return verdict;
    }

    private interface Failover {
        void now(RandomGenerator dice) throws Exception;
    }

    private static InjectedFault named(String name, Failover failover) {
        return new InjectedFault(name, dice -> {
            try {
                failover.now(dice);
            } catch (InterruptedException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void postgresql_fails_over_to_its_synchronous_standby_and_nothing_that_was_acknowledged_is_lost() throws Exception {
        try (Pair pair = new Pair(true)) {
            Verdict verdict = draw(List.of(pair.url()), named("failover", dice -> pair.failOver()), failovers());
            assertThat(verdict.broken()).isZero();
            assertThat(verdict.end()).isEqualTo(Verdict.End.GOALS);
        }
    }

    @Test
    void the_trial_finds_what_a_standby_that_lags_loses() throws Exception {
        try (Pair pair = new Pair(false)) {
            Verdict verdict =
                    draw(List.of(pair.url()), named("failover", dice -> pair.failOver()), FAILOVERS_OF_CONTROL);
            assertThat(verdict.broken()).isPositive();
        }
    }

    /** A primary and its standby, which take each other's place. */
    private static final class Pair implements AutoCloseable {

        private static final String SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = '*'";
        private static final String ALONE = "ALTER SYSTEM SET synchronous_standby_names = ''";

        private final boolean synchronous;
        private final Database database;
        private final TcpLink front;
        private Server primary;
        private Server standby;

        Pair(boolean synchronous) throws Exception {
            this.synchronous = synchronous;
            primary = Server.postgresql(Map.of("hot_standby", "on"));
            Database first = primary.freshDatabase();
            front = TcpLink.to("127.0.0.1", primary.port(), WireProtocol.POSTGRESQL);
            database = first.at("127.0.0.1:" + front.port());
            standby = follow();
        }

        String url() {
            return database.url();
        }

        private Database at(Server server) {
            return database.at("127.0.0.1:" + server.port());
        }

        /** Gives the primary a standby, and waits until commits wait for it. */
        private Server follow() throws Exception {
            Server follower = Server.standbyOf(primary);
            if (!synchronous) {
                return follower;
            }
            at(primary).execute(SYNCHRONOUS, "SELECT pg_reload_conf()");
            await(primary, "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'");
            return follower;
        }

        void failOver() throws Exception {
            if (!synchronous) {
                standby.kill(); // what is committed now, it does not hear
                Thread.sleep(500);
            }
            primary.kill();
            primary.close();
            if (!synchronous) {
                standby.restart();
            }
            primary = standby;
            at(primary).execute("SELECT pg_promote()");
            await(primary, "SELECT COUNT(*) WHERE NOT pg_is_in_recovery()");
            at(primary).execute(ALONE, "SELECT pg_reload_conf()"); // until it has a standby itself
            front.leadTo("127.0.0.1", primary.port());
            front.cut();
            standby = follow();
        }

        private void await(Server server, String query) throws Exception {
            while (number(server, query) == 0) {
                Thread.sleep(20);
            }
        }

        private long number(Server server, String query) {
            try {
                return at(server).number(query);
            } catch (SQLException e) {
                return 0;
            }
        }

        @Override
        public void close() {
            front.close();
            primary.close();
            standby.close();
        }
    }

    @Test
    void the_nodes_of_a_cluster_are_killed_in_turn_and_clients_go_to_the_others() throws Exception {
        try (GaleraCluster cluster = GaleraCluster.start()) {
            List<Database> nodes = cluster.freshDatabaseOnEachNode();
            List<TcpLink> fronts = new ArrayList<>();
            for (Server node : cluster.nodes()) {
                fronts.add(TcpLink.to("127.0.0.1", node.port(), WireProtocol.MYSQL));
            }
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                urls.add(nodes.get(i).at("127.0.0.1:" + fronts.get(i).port()).url());
            }
            InjectedFault killed = named("node killed", dice -> killNode(cluster, nodes, fronts, dice));
            Verdict verdict = draw(urls, killed, failovers());
            fronts.forEach(TcpLink::close);
            assertThat(verdict.broken()).isZero();
            assertThat(verdict.end()).isEqualTo(Verdict.End.GOALS);
        }
    }

    private static void killNode(
            GaleraCluster cluster, List<Database> nodes, List<TcpLink> fronts, RandomGenerator dice)
            throws InterruptedException {
        int victim = dice.nextInt(nodes.size());
        Server other = cluster.nodes().get((victim + 1) % nodes.size());
        cluster.nodes().get(victim).kill();
        fronts.get(victim).leadTo("127.0.0.1", other.port());
        fronts.get(victim).cut();
        cluster.nodes().get(victim).restart();
        while (!isSynced(nodes.get(victim))) {
            Thread.sleep(50);
        }
        fronts.get(victim).leadTo("127.0.0.1", cluster.nodes().get(victim).port());
        fronts.get(victim).cut();
    }

    private static boolean isSynced(Database node) {
        try {
            return node.number("SELECT VARIABLE_VALUE = 4 FROM information_schema.GLOBAL_STATUS"
                            + " WHERE VARIABLE_NAME = 'wsrep_local_state'")
                    == 1;
        } catch (SQLException e) {
            return false;
        }
    }
}
