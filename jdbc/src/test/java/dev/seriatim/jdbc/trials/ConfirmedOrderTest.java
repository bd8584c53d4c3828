// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * CONFIRMED in several processes that are killed and stopped, beside other sessions that draw by SQL and in transactions, raise, restart
 * and give back. {@code -Dseriatim.trials=soak} draws ten million values on each engine, or {@code -Dseriatim.trials.rounds} of them.
 */
@Timeout(7200)
@Tag("long")
@Order(1)
class ConfirmedOrderTest {

    private static final int PROCESSES = 3;
    private static final int THREADS = 4;
    private static final int SMALL = 100_000;
    private static final int LARGE = 10_000_000;
    private static final long JUMP = 1_000_000_000L;

    @TempDir
    private Path folder;

    /** The processes that draw, and what happens beside them. */
    private final class Trial implements AutoCloseable {
        private final Database database;
        private final JdbcStore store;
        private final OrderedDraws besides = new OrderedDraws();
        private final List<Process> processes = new ArrayList<>();
        private int kills;
        private int stops;
        private int changes;
        private int sessions;

        Trial(Database database) {
            this.database = database;
            store = (JdbcStore) StoreDriver.open(database.url());
            store.install();
            store.create(SequenceDefinition.of("s"));
        }

        void start() throws IOException {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xmx256m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            OrderProgram.class.getName(),
                            database.url(),
                            "s",
                            folder.toString(),
                            Integer.toString(THREADS))
                    .inheritIO()
                    .start());
        }

        void happens() throws Exception {
            ThreadLocalRandom chance = ThreadLocalRandom.current();
            int what = chance.nextInt(40);
            if (what == 0) {
                Process killed = processes.remove(chance.nextInt(processes.size()));
                killed.destroyForcibly().waitFor();
                kills++;
                start();
            } else if (what < 10) {
                Process stopped = processes.get(chance.nextInt(processes.size()));
                signal(stopped, "STOP");
                TimeUnit.MILLISECONDS.sleep(chance.nextInt(200));
                signal(stopped, "CONT");
                stops++;
            } else if (what < 12) {
                store.restart("s", store.describe("s").nextValue() + JUMP); // beyond what others reserve meanwhile
                changes++;
            } else if (what < 14) {
                store.raise("s", store.describe("s").nextValue() + chance.nextInt(1000));
                changes++;
            } else if (what < 18) {
                Reservation reserved = store.reserve("s", 10);
                store.giveBack("s", reserved.block(), reserved.epoch());
                changes++;
            } else if (what < 26) {
                draw(this::byFunction);
            } else if (what < 34) {
                draw(this::inTransaction);
            } else {
                draw(() -> store.reserve("s", 1).block().first());
            }
            TimeUnit.MILLISECONDS.sleep(chance.nextInt(120));
        }

        private long byFunction() throws Exception {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT next_val('s')")) {
                row.next();
                return row.getLong(1);
            }
        }

        private long inTransaction() throws Exception {
            TransactionalSequence<Connection> sequence = TransactionalSequence.of(store, "s");
            return store.<Long, Exception>inTransaction(connection -> {
                long drawn = sequence.next(connection);
                TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(3));
                return drawn;
            });
        }

        private void draw(Callable<Long> draw) throws Exception {
            long began = System.nanoTime();
            try {
                long value = draw.call();
                besides.add(began, System.nanoTime(), value);
                sessions++;
            } catch (SequenceException.Overloaded conflict) {
                // another time
            }
        }

        private void signal(Process process, String name) throws Exception {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .start()
                    .waitFor();
        }

        void killAll() {
            for (Process process : processes) {
                process.destroyForcibly();
                process.onExit().join();
            }
        }

        @Override
        public void close() {
            killAll();
            store.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void no_draw_is_below_one_that_had_returned_before_it_began(Engine engine) throws Exception {
        TestProperties asked = TestProperties.ofThisJvm();
        int goal = asked.isSoak() ? asked.count(Property.TRIALS_ROUNDS, LARGE) : SMALL;
        long began = System.nanoTime();
        try (Trial trial = new Trial(engine.freshDatabase())) {
            for (int i = 0; i < PROCESSES; i++) {
                trial.start();
            }
            OrderedDraws draws = drawn(trial);
            while (draws.size() < goal) {
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(goal == SMALL ? 3 : 30);
                while (System.nanoTime() < until) {
                    trial.happens();
                }
                draws = drawn(trial);
            }
            trial.killAll();
            draws = drawn(trial);
            System.out.printf(
                    "confirmed order on %s: %,d draws of %d processes and %,d of other sessions, %d kills, %d stops, %d changes, %.0f s%n",
                    engine,
                    draws.size(),
                    PROCESSES,
                    trial.sessions,
                    trial.kills,
                    trial.stops,
                    trial.changes,
                    (System.nanoTime() - began) / 1e9);
            assertThat(draws.findings()).isEmpty();
        } finally {
            deleteDraws();
        }
    }

    private OrderedDraws drawn(Trial trial) throws IOException {
        OrderedDraws draws = new OrderedDraws();
        draws.addAll(folder);
        draws.addAll(trial.besides);
        return draws;
    }

    private void deleteDraws() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted(Comparator.naturalOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void the_check_sees_repetition_and_disorder() {
        OrderedDraws draws = new OrderedDraws();
        draws.add(0, 10, 5);
        draws.add(11, 12, 6);
        draws.add(5, 30, 4);
        assertThat(draws.findings()).isEmpty();
        draws.add(13, 20, 5);
        draws.add(31, 40, 7);
        assertThat(draws.findings()).containsExactly("1 of 5 values repeated", "1 of 5 values out of order");
    }
}
