// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.servers.ProgramRun;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command on Couchbase, in separate processes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class CouchbaseCommandTest {

    /** On a busy machine, starting a process takes longer than the command waits for an answer. */
    private static final Duration WITH_THE_START_OF_A_PROCESS = Duration.ofSeconds(60);

    private final String place = TestServer.freshPlace();

    @Test
    void draws_shows_and_changes() {
        done("1\n2\n3\n", run(place, "next", "order_id", "--create", "-n", "3"));
        done("4\n5\n", run(place, "next", "order_id", "-n", "2", "--mode", "COMBINED"));
        done("INV-000006\n", run(place, "next", "order_id", "--format", "INV-{seq:6}"));
        assertThat(run(place, "raise", "order_id", "--to", "42").err()).isEmpty();
        ProgramRun shown = run(place, "show", "order_id");
        assertThat(shown.out()).contains("next value    42");
        if (!TestServer.isReal()) {
            assertThat(shown.out()).contains("durability    none: loses acknowledged values on failover");
        }
        assertThat(run(place, "create", "hot", "--stripes", "4").err()).isEmpty();
        assertThat(run(place, "next", "hot", "--stripes", "4", "-n", "7", "--mode", "ADAPTIVE")
                        .out()
                        .lines())
                .hasSize(7)
                .doesNotHaveDuplicates();
    }

    @Test
    void shares_a_bare_counter_with_those_who_increment_it() {
        String counters = TestServer.url("&kind=counter");
        String name = TestServer.freshPrefix() + "messages";
        done("1\n2\n", run(counters, "next", name, "--create", "-n", "2"));
        done("3\n", run(counters, "next", name, "--mode", "ASYNC"));
    }

    @Test
    void benchmarks_and_checks_its_numbers() {
        ProgramRun bench = run(
                place,
                "bench",
                "--mode",
                "ASYNC,COMBINED,BATCH,ASYNC_BATCH,ADAPTIVE",
                "--threads",
                "4",
                "--iterations",
                "200",
                "--warmup",
                "0",
                "--app-latency",
                "0ms");
        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out()).contains("COMBINED", "ASYNC_BATCH");
        assertThat(run(place, "list", "--format", "json").out())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void makes_the_experiments_of_the_sources_again() {
        ProgramRun bench = run(
                place,
                "bench",
                "--scenario",
                "couchbase,dsql",
                "--threads",
                "4",
                "--duration",
                "200ms",
                "--rounds",
                "1");
        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out())
                .contains("couchbase: one process", "couchbase: two processes", "STRIPED", "25,000", "40,000")
                .contains("dsql: ASYNC; BATCH", "it has no tables to insert rows into")
                .contains("dsql: 4 workers × 100 draws");
        assertThat(run(place, "list", "--format", "json").out())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void refuses_what_a_counter_cannot_do() {
        done("1\n", run(place, "next", "order_id", "--create"));
        for (String mode : List.of("SYNC", "GROUPED")) {
            failed(run(place, "next", "order_id", "--mode", mode), "not part of one");
        }
        failed(run(place, "next", "order_id", "--mode", "POOLED"), "ASYNC or COMBINED");
        failed(
                run(place, "next", "order_id", "--mode", "CONFIRMED"),
                "its reads do not show every earlier reservation",
                "use COMBINED");
        failed(run(place, "next", "nobody"), "'nobody'", "create it first");
    }

    @Test
    void says_in_one_line_what_is_wrong_with_the_way_there() {
        String down = "couchbase://127.0.0.1:1/bucket?user=u&password=geheim&timeout=2s";
        ProgramRun run = failed(run(down, "next", "s"), "cannot be reached", "127.0.0.1:1");
        assertThat(run.took()).isLessThan(WITH_THE_START_OF_A_PROCESS);
        assertThat(timeToGiveUp(down)).isLessThan(Duration.ofSeconds(12));
        assertThat(run.err()).doesNotContain("geheim");
        failed(run("couchbase://127.0.0.1", "next", "s"), "BUCKET");
        failed(run(place + "&colour=red", "next", "s"), "'colour'");
        failed(run(place + "&durability=some", "next", "s"), "durability", "majority");
    }

    /** Returns how long the command runs, without the start of its process, which is not part of its patience. */
    private static Duration timeToGiveUp(String url) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> StoreDriver.open(url).close()).isInstanceOf(Unavailable.class);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static ProgramRun run(String store, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--store", store));
        return ProgramRun.of("dev.seriatim.cli.Main", Map.of(), all);
    }

    private static void done(String printed, ProgramRun run) {
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(printed);
        assertThat(run.code()).isZero();
    }

    private static ProgramRun failed(ProgramRun run, String... said) {
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("seriatim: ").hasLineCount(1).contains(said);
        return run;
    }
}
