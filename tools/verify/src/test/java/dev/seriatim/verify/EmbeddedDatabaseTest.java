// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.check.Gaps;
import dev.seriatim.check.ValueSet;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerFolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code kill -9} of the only process that has a file of H2's open: verify itself cannot try that, since it would have the file open, too.
 * The modes whose rollbacks lose numbers there do not roll back.
 */
@Timeout(3600)
@Tag("long")
class EmbeddedDatabaseTest {

    private static final TestProperties ASKED = TestProperties.ofThisJvm();
    private static final int KILLS = ASKED.isSoak() ? ASKED.count(Property.TRIALS_ROUNDS, 50) : 2;
    private static final int CONTROL_KILLS = 10;
    private static final int DRAWS = 20;
    private static final int THREADS = 4;
    private static final int PACE = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Database database = H2Files.freshDatabase();
    private final String url = database.option("seriatim.durability", "warn").url();
    private final Map<String, Watch> watches = new LinkedHashMap<>();
    private final List<LaneOrder> orders = new ArrayList<>();

    @BeforeEach
    void createSequences() throws SQLException {
        Assumptions.assumeTrue(
                ASKED.named(Property.TRIALS_ENGINES, Engine.class).contains(Engine.H2),
                "not in seriatim.trials.engines");
        try (OpenStore store = StoreDriver.open(url)) {
            for (DrawMode mode : DrawMode.values()) {
                if (mode.missingIn(store).isEmpty()) {
                    boolean gapless = mode.promise().gapless();
                    String ledger = gapless ? "drawn_" + mode.name() : "";
                    store.create(SequenceDefinition.of(mode.name()));
                    if (gapless) {
                        database.execute("CREATE TABLE \"" + ledger + "\" (n BIGINT PRIMARY KEY)");
                    }
                    watches.put(
                            mode.name(),
                            new Watch(new ArenaSequence(mode.name(), mode, mode.name(), ledger), System.nanoTime()));
                    orders.add(new LaneOrder(
                            mode.name(), mode.name(), ledger, THREADS, PACE, 1, 10, LaneOrder.Shares.NONE));
                }
            }
        }
        assertThat(watches).hasSizeGreaterThanOrEqualTo(7).containsKeys("SYNC", "GROUPED");
    }

    @Test
    void its_successor_repeats_nothing_and_leaves_no_gap_where_that_is_promised() throws Exception {
        assertThat(findings(KILLS)).isEmpty();
    }

    @Test
    void what_h2_loses_with_its_own_write_delay_is_found() throws Exception {
        orders.add(new LaneOrder(WriteDelayProgram.GENERATOR, "", "", 1, 0, 1, 1, LaneOrder.Shares.NONE));
        watches.put(
                WriteDelayProgram.GENERATOR,
                new Watch(new ArenaSequence(WriteDelayProgram.GENERATOR, DrawMode.BATCH, "", ""), System.nanoTime()));
        assertThat(findings(CONTROL_KILLS))
                .as("that nothing was found, although commits are written half a second later")
                .isNotEmpty();
    }

    /** Kills up to so many processes, one after the other, and returns what is wrong; stops as soon as something is. */
    private List<String> findings(int kills) throws Exception {
        List<String> findings = List.of();
        // After the last kill, another process draws.
        for (int round = 0; round <= kills && findings.isEmpty(); round++) {
            try (WorkerCrew crew = new WorkerCrew(
                    WorkerFolder.open(WriteDelayProgram.class, DrawRing.DEFAULT_CAPACITY),
                    place -> url,
                    place -> orders,
                    watches,
                    PATIENCE)) {
                crew.start(1);
                awaitMore(crew.reader);
                TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(50));
                crew.end();
                assertThat(crew.lasting()).isEmpty();
                findings = findings(crew.reader);
            }
        }
        return findings;
    }

    private void awaitMore(RingReader reader) throws InterruptedException {
        Map<Watch, Long> goals = new LinkedHashMap<>();
        reader.locked(() -> {
            watches.values().forEach(watch -> goals.put(watch, watch.numbers + DRAWS));
            goals.keySet().removeIf(watch -> watch.sequence.sequence().isEmpty());
            return true;
        });
        while (!reader.locked(
                () -> goals.entrySet().stream().allMatch(goal -> goal.getKey().numbers >= goal.getValue()))) {
            reader.checkAlive();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private List<String> findings(RingReader reader) throws SQLException {
        List<String> findings = new ArrayList<>();
        try (Connection connection = database.connect()) {
            for (Watch watch : watches.values()) {
                reader.locked(watch::violations)
                        .forEach(violation -> findings.add(watch.sequence.generator() + " " + violation));
                if (watch.sequence.hasLedger()) {
                    Gaps gaps = gaps(connection, watch);
                    if (gaps.count() > 0) {
                        findings.add(watch.sequence.generator() + " " + gaps.examples());
                    }
                }
            }
        }
        return findings;
    }

    private static Gaps gaps(Connection connection, Watch watch) throws SQLException {
        String name = " = '" + watch.sequence.sequence() + "'";
        ValueSet committed = numbers(connection, "SELECT n FROM \"" + watch.sequence.ledger() + '"');
        try (Statement statement = connection.createStatement();
                ResultSet next = statement.executeQuery(
                        "SELECT \"next_value\" FROM \"seriatim_sequence\" WHERE \"name\"" + name)) {
            next.next();
            return Gaps.of(new Gaps.Found(
                    ArenaSequence.START,
                    next.getLong(1),
                    committed,
                    new ValueSet(),
                    watch.unique.drawn(),
                    watch.unsure));
        }
    }

    private static ValueSet numbers(Connection connection, String query) throws SQLException {
        ValueSet numbers = new ValueSet();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
