// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one file. */
@Timeout(120)
class ProcessesTest {

    private static final int DRAWS = 400;

    @TempDir
    Path folder;

    private String url = "";

    @BeforeEach
    void create() {
        url = "sqlite:" + folder.resolve("numbers.db");
        try (OpenStore store = StoreDriver.open(url)) {
            store.create(SequenceDefinition.of("orders"));
        }
    }

    /** Draws values and prints each one, flushed, once it is committed. */
    static final class Drawer {

        private Drawer() {}

        public static void main(String[] arguments) {
            try (OpenStore store = StoreDriver.open(arguments[0])) {
                for (long left = Long.parseLong(arguments[1]); left > 0; left--) {
                    System.out.println(store.reserve("orders", 1).block().first());
                    System.out.flush();
                }
            }
        }
    }

    @Test
    void two_processes_draw_every_value_once() throws Exception {
        Process first = drawer("a", DRAWS);
        Process second = drawer("b", DRAWS);
        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        List<Long> all = new ArrayList<>(drawn("a"));
        all.addAll(drawn("b"));
        assertThat(drawn("a")).isSorted();
        assertThat(drawn("b")).isSorted();
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 2 * DRAWS).boxed().toList());
    }

    @Test
    void a_killed_process_repeats_nothing_that_it_had_acknowledged() throws Exception {
        for (int round = 0; round < 3; round++) {
            String output = "killed" + round;
            Process process = drawer(output, Integer.MAX_VALUE);
            while (drawn(output).size() < 50) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            process.destroyForcibly().waitFor();
            List<Long> before = drawn(output);
            try (OpenStore store = StoreDriver.open(url)) {
                long next = store.reserve("orders", 1).block().first();
                assertThat(next).isGreaterThan(before.get(before.size() - 1));
                // At most one value was committed and not yet printed.
                assertThat(next - before.get(before.size() - 1)).isLessThanOrEqualTo(2);
            }
        }
    }

    private Process drawer(String output, long count) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dorg.sqlite.tmpdir=" + folder, // where a killed process leaves SQLite's native library
                        "-cp",
                        System.getProperty("java.class.path"),
                        Drawer.class.getName(),
                        url,
                        Long.toString(count))
                .redirectOutput(folder.resolve(output).toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Returns the complete lines that a process printed. */
    private List<Long> drawn(String output) throws IOException {
        String text = Files.readString(folder.resolve(output));
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Long::valueOf)
                .toList();
    }
}
