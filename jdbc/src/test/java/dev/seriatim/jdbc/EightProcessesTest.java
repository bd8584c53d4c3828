// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import dev.seriatim.testkit.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight processes on one file, in every mode, and what remains if some of them are killed. */
@Tag("long")
class EightProcessesTest {

    private static final int PROCESSES = 8;
    private static final int DRAWS = 40;
    private static final Set<String> ORDERED = Set.of("SYNC", "ASYNC", "COMBINED");

    @TempDir
    Path folder;

    private String url = "";
    private final List<Worker> workers = new ArrayList<>();

    /** One process and both ends of its pipe. */
    private record Worker(Process process, BufferedReader output, Writer orders) {

        void order(String what) throws IOException {
            orders.write(what + "\n");
            orders.flush();
        }

        /** Adds its draws to the history until it is done or dead; returns the values in the order drawn. */
        List<Long> collect(History history) throws IOException {
            return collect(history, Integer.MAX_VALUE);
        }

        /** Does the same, for at most {@code most} draws. */
        List<Long> collect(History history, int most) throws IOException {
            List<Long> values = new ArrayList<>();
            while (values.size() < most) {
                String line = output.readLine();
                if (line == null || line.equals("done")) {
                    break;
                }
                String[] draw = line.split(" ", -1);
                if (draw.length == 3) {
                    values.add(Long.valueOf(draw[2]));
                    history.add(
                            Long.parseLong(draw[0]), Long.parseLong(draw[1]), new Block(Long.parseLong(draw[2]), 1, 1));
                }
            }
            return values;
        }
    }

    @BeforeEach
    void start() throws IOException {
        url = "sqlite:" + folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open(url)) {
            store.create(SequenceDefinition.of("SYNC"));
            Drawing.MODES.keySet().forEach(mode -> store.create(SequenceDefinition.of(mode)));
        }
        for (int i = 0; i < PROCESSES; i++) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Dorg.sqlite.tmpdir=" + folder, // where a killed process leaves SQLite's native library
                            "-cp",
                            System.getProperty("java.class.path"),
                            Drawing.class.getName(),
                            url)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            workers.add(new Worker(process, process.inputReader(), process.outputWriter()));
        }
        for (Worker worker : workers) {
            String line = worker.output().readLine();
            while (!"ready".equals(line)) {
                assertThat(line).as("a process ended before it was ready").isNotNull();
                line = worker.output().readLine();
            }
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Worker worker : workers) {
            worker.process().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void draw_every_value_once_and_in_order_where_that_is_promised() throws IOException {
        Set<String> modes = new TreeSet<>(Drawing.MODES.keySet());
        modes.add("SYNC");
        for (String mode : modes) {
            for (Worker worker : workers) {
                worker.order(mode + " " + DRAWS);
            }
            History history = new History();
            for (Worker worker : workers) {
                worker.collect(history);
            }
            assertThat(history.size()).as(mode).isEqualTo(PROCESSES * DRAWS);
            assertThat(history.duplicates()).as(mode).isZero();
            if (ORDERED.contains(mode)) {
                assertThat(history.orderViolations(true)).as(mode).isZero();
                assertThat(history.largest()).as(mode).isEqualTo(PROCESSES * DRAWS);
            }
        }
    }

    @Test
    void repeat_no_acknowledged_value_when_some_are_killed_in_the_middle() throws IOException, InterruptedException {
        String[] modes = {"SYNC", "ASYNC", "COMBINED", "BATCH", "ASYNC_BATCH", "ADAPTIVE"};
        History[] histories = new History[modes.length];
        for (int i = 0; i < modes.length; i++) {
            histories[i] = new History();
            // Each of the first six draws endlessly in its own mode until it is killed during a draw.
            workers.get(i).order(modes[i] + " " + Integer.MAX_VALUE);
        }
        for (int i = 0; i < modes.length; i++) {
            assertThat(workers.get(i).collect(histories[i], DRAWS)).as(modes[i]).hasSize(DRAWS);
        }
        for (int i = 0; i < modes.length; i++) {
            Process process = workers.get(i).process();
            process.toHandle().destroyForcibly(); // kill -9; unlike destroyForcibly(), keeps the written output
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("killed").isNotZero();
            workers.get(i).collect(histories[i]);
        }
        for (int i = 0; i < modes.length; i++) {
            for (Worker survivor : workers.subList(modes.length, PROCESSES)) {
                survivor.order(modes[i] + " " + DRAWS);
            }
            for (Worker survivor : workers.subList(modes.length, PROCESSES)) {
                assertThat(survivor.collect(histories[i])).hasSize(DRAWS);
            }
            assertThat(histories[i].duplicates()).as(modes[i]).isZero();
            if (ORDERED.contains(modes[i])) {
                assertThat(histories[i].orderViolations(true)).as(modes[i]).isZero();
            }
        }
    }
}
