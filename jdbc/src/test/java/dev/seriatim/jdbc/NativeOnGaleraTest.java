// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.GaleraCluster;
import dev.seriatim.servers.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What native sequences repeat on a Galera cluster of three nodes, one of which is killed and rejoins while all draw. As a soak, it
 * prints the figures of docs/native-sequences.md.
 */
@Tag("long")
class NativeOnGaleraTest {

    private static final long VALUES = "soak".equals(System.getProperty("seriatim.trials")) ? 1_000_000 : 60_000;
    private static final int PER_STATEMENT = 50;
    private static final int VICTIM = 2;

    /** An acknowledged value; the phase counts what happened to the victim: 0 nothing, 1 killed, 2 rejoined. */
    private record Drawn(long value, int node, int phase) {}

    private final AtomicLong total = new AtomicLong();
    private final AtomicLong since = new AtomicLong();
    private volatile int phase;
    private volatile boolean done;

    /** The steps and offsets of the nodes: chosen by the cluster, which changes them with its size, or fixed. */
    private enum Steps {
        OF_CLUSTER,
        FIXED;

        Map<String, String> settings(int node) {
            return this == OF_CLUSTER
                    ? Map.of()
                    : Map.of(
                            "wsrep-auto-increment-control", "OFF",
                            "auto-increment-increment", "3",
                            "auto-increment-offset", Integer.toString(node + 1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INCREMENT BY 0 CACHE 1000, OF_CLUSTER",
        "INCREMENT BY 0 CACHE 10,   OF_CLUSTER",
        "INCREMENT BY 0 NOCACHE,    OF_CLUSTER",
        "INCREMENT BY 0 CACHE 10,   FIXED",
        "INCREMENT BY 0 NOCACHE,    FIXED",
        "INCREMENT BY 1 NOCACHE,    OF_CLUSTER",
    })
    void values_repeat_unless_the_steps_of_the_nodes_are_fixed(String form, Steps steps) throws Exception {
        try (GaleraCluster cluster = GaleraCluster.start(steps::settings)) {
            List<Database> nodes = cluster.freshDatabaseOnEachNode();
            nodes.get(0).execute("CREATE SEQUENCE s " + form);
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<List<Drawn>>> running = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
                int node = thread % 3;
                running.add(threads.submit(() -> drawn(nodes.get(node), node)));
            }
            awaitValues(VALUES / 3);
            Server victim = cluster.nodes().get(VICTIM);
            victim.kill();
            phase = 1;
            since.set(0);
            awaitValues(VALUES / 2);
            victim.restart();
            phase = 2;
            since.set(0);
            while (since.get() < VALUES / 10) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            awaitValues(VALUES);
            done = true;
            List<Drawn> all = new ArrayList<>();
            for (Future<List<Drawn>> one : running) {
                all.addAll(one.get());
            }
            threads.shutdown();
            report(form, steps, all);
        } finally {
            done = true;
        }
    }

    private void awaitValues(long count) throws InterruptedException {
        while (total.get() < count) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private List<Drawn> drawn(Database database, int node) throws InterruptedException {
        List<Drawn> all = new ArrayList<>();
        while (!done) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                while (!done) {
                    int now = phase;
                    List<Drawn> some = new ArrayList<>();
                    try (ResultSet row =
                            statement.executeQuery("SELECT NEXT VALUE FOR s FROM seq_1_to_" + PER_STATEMENT)) {
                        while (row.next()) {
                            some.add(new Drawn(row.getLong(1), node, now));
                        }
                    }
                    all.addAll(some);
                    total.addAndGet(some.size());
                    if (node == VICTIM) {
                        since.addAndGet(some.size());
                    }
                }
            } catch (SQLException killedOrInConflict) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
        return all;
    }

    private static void report(String form, Steps steps, List<Drawn> all) {
        Map<Long, Drawn> first = new HashMap<>();
        Map<String, Integer> repeats = new TreeMap<>();
        for (Drawn drawn : all) {
            Drawn before = first.putIfAbsent(drawn.value(), drawn);
            if (before != null) {
                int low = Math.min(before.phase(), drawn.phase());
                int high = Math.max(before.phase(), drawn.phase());
                String nodes = before.node() == drawn.node() ? "same node " + drawn.node() : "nodes";
                repeats.merge(nodes + " phases " + low + "," + high, 1, Integer::sum);
            }
        }
        int repeated = all.size() - first.size();
        System.out.printf("trial: %s, %s: %d values, %d repeated: %s%n", form, steps, all.size(), repeated, repeats);
        if (form.startsWith("INCREMENT BY 1")) {
            assertThat(repeated).isPositive();
        } else if (steps == Steps.FIXED) {
            assertThat(repeated).isZero();
        } else {
            assertThat(repeats.keySet()).noneMatch(where -> where.endsWith("phases 0,0"));
        }
    }
}
