// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.check.OrderCheck;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.conservation.TestProperties;
import dev.seriatim.conservation.TestProperties.Property;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.Reservation;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.store.TransactionalSequence;
import dev.seriatim.verify.Violation.Kind;
import dev.seriatim.verify.fault.InjectedFault;
import dev.seriatim.verify.fault.Injector;
import dev.seriatim.verify.fault.ProcessFaults;
import dev.seriatim.verify.worker.DrawRing;
import dev.seriatim.verify.worker.LaneOrder;
import dev.seriatim.verify.worker.WorkerFolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
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
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Times that other sessions must do something. */
    private static final int FEWEST = 50;

    /** Stops are usual, and kills are rare. */
    private static final int STOPS_PER_KILL = 4;

    /** What other sessions do, whose draws are checked beside those of the processes. */
    private static final class OtherSessions implements AutoCloseable {
        private final Database database;
        private final JdbcStore store;
        private final RingReader reader;
        private final Watch watch;
        private final OrderCheck.Lane lane;
        private int draws;
        private int changes;
        private int happened;

        OtherSessions(Database database, RingReader reader, Watch watch) {
            this.database = database;
            this.reader = reader;
            this.watch = watch;
            store = (JdbcStore) StoreDriver.open(database.url());
            store.install();
            store.create(SequenceDefinition.of("s"));
            lane = reader.locked(() -> Objects.requireNonNull(watch.order).open("other sessions", System.nanoTime()));
        }

        void happens() throws Exception {
            ThreadLocalRandom chance = ThreadLocalRandom.current();
            int what = chance.nextInt(30);
            if (what < 2) {
                store.restart("s", store.describe("s").nextValue() + JUMP); // beyond what others reserve meanwhile
                changes++;
            } else if (what < 4) {
                store.raise("s", store.describe("s").nextValue() + chance.nextInt(1000));
                changes++;
            } else if (what < 8) {
                Reservation reserved = store.reserve("s", 10);
                store.giveBack("s", reserved.block(), reserved.epoch());
                changes++;
            } else if (what < 16) {
                draw(this::byFunction);
            } else if (what < 24) {
                draw(this::inTransaction);
            } else {
                draw(() -> store.reserve("s", 1).block().first());
            }
            happened++;
            advance();
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
            advance();
            long began = System.nanoTime();
            try {
                long value = draw.call();
                drew(began, System.nanoTime(), value);
                draws++;
            } catch (SequenceException.Overloaded conflict) {
                // another time
            }
        }

        void drew(long began, long returned, long value) {
            reader.locked(() -> {
                watch.numbers++;
                watch.unique.drew("other sessions", returned, value, 1);
                lane.drewOneOfSeveral(began, returned, value, 1);
                return true;
            });
        }

        /** No draw is under way. */
        private void advance() {
            long now = System.nanoTime();
            reader.locked(() -> {
                lane.advance(now);
                return true;
            });
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void no_draw_is_below_one_that_had_returned_before_it_began(Engine engine) throws Exception {
        TestProperties asked = TestProperties.ofThisJvm();
        int goal = asked.isSoak() ? asked.count(Property.TRIALS_ROUNDS, LARGE) : SMALL;
        long origin = System.nanoTime();
        Database database = engine.freshDatabase();
        Watch watch = new Watch(new ArenaSequence(BurstProgram.GENERATOR, DrawMode.CONFIRMED, "s", ""), origin);
        LaneOrder order = new LaneOrder(BurstProgram.GENERATOR, "s", "", THREADS, 0, 1, 1, LaneOrder.Shares.NONE);
        try (WorkerCrew crew = new WorkerCrew(
                        WorkerFolder.open(BurstProgram.class, DrawRing.DEFAULT_CAPACITY),
                        place -> database.url(),
                        place -> List.of(order),
                        Map.of(BurstProgram.GENERATOR, watch),
                        PATIENCE);
                OtherSessions others = new OtherSessions(database, crew.reader, watch);
                Injector faults = injector(crew)) {
            RingReader reader = crew.reader;
            crew.start(PROCESSES);
            faults.start();
            while (reader.locked(() -> watch.numbers) < goal || crew.killed() == 0 || others.happened < FEWEST) {
                others.happens();
                faults.checkAlive();
                reader.checkAlive();
            }
            faults.stop();
            crew.stop();
            crew.end();
            System.out.printf(
                    "confirmed order on %s: %,d draws, %,d of them of other sessions, %s, %d changes, %.0f s%n",
                    engine,
                    watch.numbers,
                    others.draws,
                    faults.counts(),
                    others.changes,
                    (System.nanoTime() - origin) / 1e9);
            assertThat(crew.lasting()).isEmpty();
            assertThat(reader.locked(watch::violations)).isEmpty();
            assertThat(others.draws).isPositive();

            // The same check is red as soon as a number returns.
            others.drew(System.nanoTime(), System.nanoTime(), watch.highest);
            assertThat(reader.locked(watch::violations))
                    .extracting(Violation::kind)
                    .containsExactly(Kind.DUPLICATE, Kind.OUT_OF_ORDER);
        }
    }

    private static Injector injector(WorkerCrew crew) {
        List<InjectedFault> faults =
                new ArrayList<>(Collections.nCopies(STOPS_PER_KILL, ProcessFaults.stop(crew::processes)));
        faults.add(ProcessFaults.kill("process killed", crew::processes, crew::replace));
        return new Injector(
                "processes",
                ThreadLocalRandom.current().nextLong(),
                faults,
                Duration.ofMillis(50),
                Duration.ofMillis(500),
                () -> false);
    }
}
