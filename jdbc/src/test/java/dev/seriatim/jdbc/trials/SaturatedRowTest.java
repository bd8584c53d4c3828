// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceListener;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.StoreDriver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** ADAPTIVE in 64 processes that start at once on one row of PostgreSQL, which a trigger slows down. */
@Timeout(600)
@Tag("long")
@Isolated("it starts 64 processes")
class SaturatedRowTest {

    private static final int PROCESSES = 64;
    private static final int PER_SECOND = 50;
    private static final Duration RUN = Duration.ofSeconds(60);
    /** Between draws: 64 processes that wake up more often take the processors from the server. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final double SERVED = 0.97;
    private static final double RESERVED_PER_USED = 4;

    /** Draws at a fixed rate from the line {@code go} on, and prints how many values were wanted and dealt, and reserved. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws IOException {
            double perSecond = Double.parseDouble(arguments[1]);
            long nanos = Duration.ofSeconds(Long.parseLong(arguments[2])).toNanos();
            LongAdder reserved = new LongAdder();
            LongAdder dealt = new LongAdder();
            LongAdder reservations = new LongAdder();
            LongAdder millis = new LongAdder();
            SequenceListener listener = new SequenceListener() {
                @Override
                public void reserved(String sequence, Block block, Duration took) {
                    reserved.add(block.count());
                    reservations.increment();
                    millis.add(took.toMillis());
                }
            };
            try (JdbcStore store = (JdbcStore) StoreDriver.open(arguments[0]);
                    StoreSequences sequences =
                            StoreSequences.builder(store).listener(listener).build()) {
                Sequence sequence = sequences.open("s", Allocation.adaptive());
                store.describe("s"); // the connection is there
                System.out.println("ready");
                System.in.read();
                long began = System.nanoTime();
                long wanted = 0;
                for (long passed = 0; passed < nanos; passed = System.nanoTime() - began) {
                    long due = (long) (perSecond * passed / TimeUnit.SECONDS.toNanos(1));
                    for (; wanted < due; wanted++) {
                        sequence.nextAsync().thenRun(dealt::increment);
                    }
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
                System.out.println(wanted + " " + dealt.sum() + " " + reserved.sum() + " " + reservations.sum() + " "
                        + millis.sum());
            }
        }
    }

    @Test
    void processes_that_saturate_the_row_are_served_and_reserve_little_more_than_they_use() throws Exception {
        Scale.assumeSoak("64 processes need a quiet machine");
        Engine.POSTGRESQL.assume();
        Database database = Engine.POSTGRESQL.freshDatabase();
        try (JdbcStore store = (JdbcStore) StoreDriver.open(database.url())) {
            store.install();
            store.create(SequenceDefinition.of("s"));
        }
        database.execute(
                "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END'",
                "CREATE TRIGGER slow BEFORE UPDATE ON seriatim_sequence FOR EACH ROW EXECUTE FUNCTION slow()");
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(database.url()));
            }
            List<BufferedReader> outputs =
                    processes.stream().map(Process::inputReader).toList();
            for (BufferedReader output : outputs) {
                assertThat(output.readLine()).isEqualTo("ready");
            }
            for (Process process : processes) {
                Writer go = process.outputWriter();
                go.write("go\n");
                go.flush();
            }
            long wanted = 0;
            long dealt = 0;
            long reserved = 0;
            long reservations = 0;
            long millis = 0;
            for (BufferedReader output : outputs) {
                String[] figures = output.readLine().split(" ", -1);
                wanted += Long.parseLong(figures[0]);
                dealt += Long.parseLong(figures[1]);
                reserved += Long.parseLong(figures[2]);
                reservations += Long.parseLong(figures[3]);
                millis += Long.parseLong(figures[4]);
            }
            System.out.printf(
                    "trial: ADAPTIVE in %d processes at %d/s on a row of 10 ms for %d s: %,d values wanted, %.3f of them"
                            + " dealt, %.2f reserved for each dealt; %d reservations of %d ms on average%n",
                    PROCESSES,
                    PER_SECOND,
                    RUN.toSeconds(),
                    wanted,
                    (double) dealt / wanted,
                    (double) reserved / dealt,
                    reservations,
                    millis / Math.max(1, reservations));
            assertThat((double) dealt / wanted).isGreaterThan(SERVED);
            assertThat((double) reserved / dealt).isLessThan(RESERVED_PER_USED);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(String url) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        url,
                        Integer.toString(PER_SECOND),
                        Long.toString(RUN.toSeconds()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
