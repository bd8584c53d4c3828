// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.servers.Server;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server suspended under load for a number of seconds: {@code -Dseriatim.stopped=10}. */
@Timeout(120)
@Tag("long")
@Isolated("it measures how long others wait")
class StoppedServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    // Scheduling delay on a busy machine.
    private static final Duration SLACK = Duration.ofMillis(700);

    static Stream<Arguments> servers() {
        Supplier<Server> postgresql = () -> Server.postgresql(Map.of());
        Supplier<Server> mariadb = () -> Server.mariadb(Map.of());
        return Stream.of(Arguments.of("PostgreSQL", postgresql), Arguments.of("MariaDB", mariadb));
    }

    /** A thread that draws endlessly from a sequence and records what it sees. */
    private static final class Drawer extends Thread {
        private final Sequence sequence;
        private final Queue<Long> drawn = new ConcurrentLinkedQueue<>();
        private final Queue<SequenceException> failures = new ConcurrentLinkedQueue<>();
        private volatile long longestNanos;

        Drawer(Sequence sequence) {
            this.sequence = sequence;
        }

        @Override
        public void run() {
            while (!isInterrupted()) {
                long began = System.nanoTime();
                try {
                    drawn.add(sequence.next());
                } catch (SequenceException e) {
                    if (!isInterrupted()) {
                        failures.add(e);
                    }
                }
                longestNanos = Math.max(longestNanos, System.nanoTime() - began);
                pause();
            }
        }

        private void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(2);
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void holds_nobody_beyond_the_patience_and_all_recover(String engine, Supplier<Server> started) throws Exception {
        int seconds = TestProperties.ofThisJvm().count(Property.STOPPED, 3);
        try (Server server = started.get();
                OpenStore store = StoreDriver.open(server.freshDatabase().url());
                StoreSequences sequences =
                        StoreSequences.builder(store).patience(PATIENCE).build()) {
            List<Drawer> waiting = new ArrayList<>();
            for (Allocation mode : List.of(
                    Allocation.async(),
                    Allocation.combined(),
                    Allocation.confirmed(),
                    Allocation.batch(3),
                    Allocation.asyncBatch(4, 2),
                    Allocation.adaptive(1, 4))) {
                waiting.add(draw(store, sequences, mode));
                waiting.add(draw(store, sequences, mode));
            }
            Drawer inHand = draw(store, sequences, Allocation.batch(10_000_000));
            for (Drawer drawer : all(waiting, inHand)) {
                until(() -> drawer.drawn.size() > 20);
            }

            for (Drawer drawer : all(waiting, inHand)) {
                drawer.longestNanos = 0; // excludes the time to start
            }
            server.suspend();
            TimeUnit.SECONDS.sleep(seconds);
            server.resume();

            for (Drawer drawer : all(waiting, inHand)) {
                int before = drawer.drawn.size();
                until(() -> drawer.drawn.size() > before + 20);
                drawer.interrupt();
                drawer.join();
            }
            assertThat(inHand.failures).isEmpty();
            assertThat(Duration.ofNanos(inHand.longestNanos)).isLessThan(SLACK);
            for (Drawer drawer : waiting) {
                assertThat(drawer.failures).as(drawer.sequence.name()).isNotEmpty();
                assertThat(drawer.failures)
                        .allSatisfy(e -> assertThat(e.getMessage())
                                .containsPattern("no (answer from .*jdbc:.*|turn) within 1000 ms")
                                .doesNotContain("\n"));
                assertThat(Duration.ofNanos(drawer.longestNanos))
                        .as(drawer.sequence.name())
                        .isLessThan(PATIENCE.plus(SLACK));
            }
            assertThat(waiting.stream().map(drawer -> drawer.sequence.name()).distinct())
                    .allSatisfy(name -> assertThat(waiting.stream()
                                    .filter(drawer -> drawer.sequence.name().equals(name))
                                    .flatMap(drawer -> drawer.drawn.stream()))
                            .doesNotHaveDuplicates());
        }
    }

    private static Drawer draw(OpenStore store, StoreSequences sequences, Allocation mode) {
        String name = mode.toString();
        if (store.list().stream().noneMatch(s -> s.definition().name().equals(name))) {
            store.create(SequenceDefinition.of(name));
        }
        Drawer drawer = new Drawer(sequences.open(name, mode));
        drawer.setDaemon(true);
        drawer.start();
        return drawer;
    }

    private static List<Drawer> all(List<Drawer> waiting, Drawer inHand) {
        List<Drawer> all = new ArrayList<>(waiting);
        all.add(inHand);
        return all;
    }

    private static void until(Supplier<Boolean> condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.get()) {
            assertThat(System.nanoTime()).as("nothing came for 30 s").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
