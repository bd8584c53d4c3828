// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A database with a sequence and a ledger for each mode, the processes that draw from it, and the draws they
 * acknowledged.
 */
final class EngineTrial implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int THREADS_PER_MODE = 4;
    private static final long LIMIT_NANOS = Duration.ofMinutes(2).toNanos();

    /** The database, as each node offers it. */
    private final List<Database> nodes;

    private final UnaryOperator<Database> seenByStore;
    private final List<TrialMode> modes;
    private final Map<TrialMode, Harvest> harvests;
    private final List<DrawingProcess> processes = new ArrayList<>();

    private EngineTrial(List<Database> nodes, UnaryOperator<Database> seenByStore) {
        this.nodes = List.copyOf(nodes);
        this.seenByStore = seenByStore;
        try (JdbcStore store = (JdbcStore) StoreDriver.open(urlSeenByStore(nodes.get(0)))) {
            modes = Stream.of(TrialMode.values())
                    .filter(mode -> mode.offeredBy(store))
                    .toList();
        }
        Map<TrialMode, Harvest> empty = new EnumMap<>(TrialMode.class);
        for (TrialMode mode : modes) {
            empty.put(mode, new Harvest(mode));
        }
        harvests = Collections.unmodifiableMap(empty);
    }

    static EngineTrial on(List<Database> nodes) throws SQLException, InterruptedException {
        // On H2 files, SYNC and GROUPED are refused because of rollbacks alongside commits, which this trial does not
        // test.
        boolean file = nodes.get(0).url().startsWith("jdbc:h2:");
        return new EngineTrial(nodes, file ? EngineTrial::warningOnly : UnaryOperator.identity()).create();
    }

    /** Runs on a database whose settings lose commits: the store only warns of them. */
    static EngineTrial onWeak(Database database) throws SQLException, InterruptedException {
        return new EngineTrial(List.of(database), EngineTrial::warningOnly).create();
    }

    static Database warningOnly(Database database) {
        return database.option("seriatim.durability", "warn");
    }

    private EngineTrial create() throws SQLException, InterruptedException {
        try (OpenStore store = StoreDriver.open(urlSeenByStore(nodes.get(0)))) {
            for (TrialMode mode : modes) {
                store.create(SequenceDefinition.of(mode.name()));
                if (mode.promises(TrialGuarantee.GAPLESS)) {
                    mode.ledger().create(nodes.get(0));
                }
            }
        }
        for (Database node : nodes) {
            await(() -> "the sequences on " + node, () -> isComplete(node));
        }
        return this;
    }

    private boolean isComplete(Database node) {
        try (OpenStore store = StoreDriver.open(urlSeenByStore(node))) {
            return store.list().size() == modes.size();
        }
    }

    /** Returns the URL with which the trial opens the store. */
    private String urlSeenByStore(Database database) {
        return url(seenByStore.apply(database));
    }

    /** Returns the URL of the store in a database, without options of the trial. */
    static String url(Database database) {
        String url = database.url();
        return url.startsWith("jdbc:sqlite:") ? url.substring("jdbc:".length()) : url;
    }

    /** Starts a process on each node, and at least {@code atLeast} in total. */
    List<DrawingProcess> start(int atLeast) throws InterruptedException {
        List<DrawingProcess> started = new ArrayList<>();
        for (int i = 0; i < Math.max(atLeast, nodes.size()); i++) {
            started.add(launch());
        }
        for (DrawingProcess process : started) {
            process.awaitReady();
        }
        return started;
    }

    /** Starts one process, on the next node. */
    DrawingProcess startNext() throws InterruptedException {
        DrawingProcess started = launch();
        started.awaitReady();
        return started;
    }

    private DrawingProcess launch() {
        Database node = nodes.get(processes.size() % nodes.size());
        DrawingProcess process = DrawingProcess.start(urlSeenByStore(node), PATIENCE, this::harvest);
        processes.add(process);
        return process;
    }

    /** Starts a few threads of a process in every mode. */
    void drawOn(DrawingProcess process) throws IOException {
        for (TrialMode mode : modes) {
            process.drawOn(mode, THREADS_PER_MODE);
        }
    }

    /** Returns once each mode has drawn {@code draws} more numbers, or has stopped permanently. */
    void awaitMore(int draws) throws InterruptedException {
        for (TrialMode mode : modes) {
            Harvest harvest = harvest(mode);
            long goal = harvest.count() + draws;
            await(
                    () -> draws + " draws in " + mode + " by " + this + "; failures: " + harvest.reasons(),
                    () -> harvest.count() >= goal || !harvest.lastingFailures().isEmpty());
        }
    }

    /** Returns the modes that the store supports. */
    List<TrialMode> modes() {
        return modes;
    }

    Harvest harvest(TrialMode mode) {
        return Objects.requireNonNull(harvests.get(mode));
    }

    /** Returns the problems; empty if every mode has kept its guarantees. */
    List<String> findings() throws SQLException {
        List<String> findings = new ArrayList<>();
        try (JdbcStore store = (JdbcStore) StoreDriver.open(urlSeenByStore(nodes.get(0)))) {
            for (TrialMode mode : modes) {
                findings.addAll(harvest(mode).findings());
                if (mode.promises(TrialGuarantee.GAPLESS)) {
                    findings.addAll(harvest(mode).findings(mode.state(nodes.get(0), store)));
                }
            }
        }
        return findings;
    }

    static void await(Supplier<String> what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain for " + what.get());
            }
            Thread.sleep(5);
        }
    }

    /** Returns the database and the number of draws. */
    @Override
    public String toString() {
        StringJoiner counts = new StringJoiner(", ", nodes.get(0) + ": ", "");
        harvests.forEach((mode, harvest) -> counts.add(harvest.count() + " " + mode));
        return counts.toString();
    }

    @Override
    public void close() {
        processes.forEach(DrawingProcess::close);
    }
}
