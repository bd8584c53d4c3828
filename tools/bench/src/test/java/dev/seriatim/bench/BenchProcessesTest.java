// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.TypedCommand;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bench --processes}: several processes draw from the same sequence. */
@Timeout(120)
class BenchProcessesTest {

    @Test
    void the_numbers_of_three_processes_are_unique_and_in_order() {
        TypedCommand run = BenchRun.on(
                Engine.POSTGRESQL.freshDatabase().url(),
                "--processes",
                "3",
                "--mode",
                "COMBINED,SYNC,ADAPTIVE,ATOMIC_LONG",
                "--threads",
                "2",
                "--iterations",
                "60",
                "--app-latency",
                "0ms",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.objects("runs")).hasSize(3).allSatisfy(figures -> {
            assertThat(figures.get("experiment").getAsString()).isEqualTo("3 processes");
            assertThat(figures.get("processes").getAsInt()).isEqualTo(3);
            assertThat(figures.get("iterations").getAsLong()).isEqualTo(3 * 60);
            assertThat(figures.get("errors").getAsLong()).isZero();
            assertThat(figures.get("duplicates").getAsLong()).isZero();
            assertThat(figures.get("limit_per_second").isJsonNull()).isTrue();
        });
        assertThat(run.objects("runs").get(0).get("order_violations").getAsLong())
                .isZero();
        assertThat(run.objects("runs").get(1).get("gaps").getAsLong()).isZero();
        assertThat(run.objects("not_offered").stream()
                        .map(left -> left.get("mode").getAsString()))
                .contains("ATOMIC_LONG");
    }

    @Test
    @Tag("long")
    void each_process_takes_its_share_of_the_rate() {
        TypedCommand run = BenchRun.on(
                Engine.POSTGRESQL.freshDatabase().url(),
                "--processes",
                "2",
                "--mode",
                "ADAPTIVE",
                "--rate",
                "200/s",
                "--duration",
                "1s",
                "--warmup",
                "10",
                "--format",
                "json");
        assertThat(run.code()).as(run.err()).isZero();
        JsonObject figures = run.objects("runs").get(0);
        assertThat(figures.get("arrivals_per_second").getAsDouble()).isEqualTo(200);
        assertThat(figures.get("iterations").getAsLong()).isEqualTo(200);
    }

    @Test
    @Tag("long")
    void a_process_that_is_killed_ends_the_run_with_one_line() throws Exception {
        Process first = first("COMBINED", 21);
        try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
            List<ProcessHandle> others = first.toHandle().children().toList();
            assertThat(others).hasSize(2);
            others.get(1).destroyForcibly();
            assertThat(lines.lines().filter(line -> line.startsWith("seriatim: process")))
                    .singleElement()
                    .asString()
                    .matches("seriatim: process [23]: it ended with exit code \\d+; use fewer --processes.*");
            assertThat(first.waitFor()).isEqualTo(1);
            assertThat(others).noneMatch(ProcessHandle::isAlive);
        } finally {
            first.destroyForcibly();
        }
    }

    @Test
    @Tag("long")
    void processes_that_have_not_begun_end_without_a_word_if_another_does() throws Exception {
        Process first = first("SYNC", 1);
        try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
            first.toHandle().children().findFirst().orElseThrow().destroyForcibly();
            assertThat(lines.lines())
                    .anyMatch(line -> line.contains("use fewer --processes"))
                    .noneMatch(line -> line.contains("Exception"));
        } finally {
            first.destroyForcibly();
        }
    }

    @Test
    @Tag("long")
    void all_processes_end_with_the_first_and_their_numbers_are_counted() throws Exception {
        Process first = first("SYNC", 21);
        try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
            List<ProcessHandle> others = first.toHandle().children().toList();
            assertThat(others).hasSize(2);
            first.toHandle().destroy();
            assertThat(lines.lines().toList())
                    .anySatisfy(line -> assertThat(line).contains("interrupted"))
                    .anySatisfy(line -> assertThat(line).contains("no duplicate, no order violation, no gap"));
            for (ProcessHandle other : others) {
                other.onExit().get(20, TimeUnit.SECONDS);
            }
        } finally {
            first.destroyForcibly();
        }
    }

    /** Starts a run of ten minutes in a process of its own, and returns when all have begun and one is about to draw a number. */
    private static Process first(String mode, long drawn) throws Exception {
        Database database = Engine.POSTGRESQL.freshDatabase();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.seriatim.cli.Main"));
        String words = "bench --processes 3 --rate 30/s --duration 10m --warmup 0 --mode " + mode;
        command.addAll(List.of(words.split(" ")));
        ProcessBuilder java = new ProcessBuilder(command).redirectErrorStream(true);
        java.environment().remove("JAVA_TOOL_OPTIONS"); // of which Java would say first that it has picked them up
        java.environment().put("SERIATIM_STORE", database.url());
        try (OpenStore store = StoreDriver.open(database.url())) {
            store.create(SequenceDefinition.of("other"));
            Process process = java.start();
            while (store.list().stream().noneMatch(state -> state.nextValue() >= drawn && state.nextValue() < 100)
                    || process.children().count() < 2) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            return process;
        }
    }

    @ParameterizedTest
    @CsvSource({"memory:, ADAPTIVE", "jdbc:h2:mem:processes, ADAPTIVE", "memory:?latency=1ms, ATOMIC_LONG"})
    void what_is_in_the_memory_of_a_process_is_not_offered(String url, String mode) {
        TypedCommand run = BenchRun.on(url, "--processes", "2", "--mode", mode);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("offers none of these runs: several processes cannot share it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | --threads=1 | --processes must be from 1 to 100, not 0",
                "101 | --threads=1 | --processes must be from 1 to 100, not 101",
                "2 | --insert-rows | --processes and --insert-rows exclude each other",
                "2 | --scenario=couchbase | --processes and --scenario exclude each other",
                "2 | --iterations=20000000 | --iterations must be from 1 to 10000000"
            })
    void wrong_options_are_refused(String processes, String other, String message) {
        TypedCommand run = BenchRun.on("memory:", "--processes", processes, other);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
