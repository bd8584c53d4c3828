// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.CommandLineRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command on Couchbase. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class CouchbaseCommandTest {

    private final String place = TestServer.freshPlace();

    private final String patient = place + TestServer.PATIENT;

    @Test
    void the_program_prints_no_logs_of_the_client() {
        inOwnProcess(patient, "next", "order_id", "--create", "-n", "3").printed("1\n2\n3\n");
        inOwnProcess(patient, "next", "order_id", "-n", "2").printed("4\n5\n");
        CommandLineRun down =
                inOwnProcess("couchbase://127.0.0.1:1/bucket?user=u&password=geheim&timeout=2s", "next", "s");
        down.failedWith("cannot be reached", "127.0.0.1:1");
        assertThat(down.err()).doesNotContain("geheim");
    }

    @Test
    void draws_shows_and_changes() {
        on(place, "next", "order_id", "--create", "-n", "3").printed("1\n2\n3\n");
        on(place, "next", "order_id", "-n", "2", "--mode", "COMBINED").printed("4\n5\n");
        on(place, "next", "order_id", "--format", "INV-{seq:6}").printed("INV-000006\n");
        on(place, "raise", "order_id", "--to", "42").succeeded();
        String shown = on(place, "show", "order_id").succeeded();
        assertThat(shown).contains("next value    42");
        if (!TestServer.isReal()) {
            assertThat(shown).contains("durability    none: loses acknowledged values on failover");
        }
        on(place, "create", "hot", "--stripes", "4").succeeded();
        assertThat(on(place, "next", "hot", "--stripes", "4", "-n", "7", "--mode", "ADAPTIVE")
                        .succeeded()
                        .lines())
                .hasSize(7)
                .doesNotHaveDuplicates();
    }

    @Test
    void shares_a_bare_counter_with_those_who_increment_it() {
        String counters = TestServer.url("&kind=counter");
        String name = TestServer.freshPrefix() + "messages";
        on(counters, "next", name, "--create", "-n", "2").printed("1\n2\n");
        on(counters, "next", name, "--mode", "ASYNC").printed("3\n");
    }

    @Test
    void benchmarks_and_checks_its_numbers() {
        CommandLineRun bench = on(
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
        assertThat(on(place, "list", "--format", "json").succeeded())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void makes_the_experiments_of_the_sources_again() {
        // Not in this process, where main does not silence the client's logs, which the second one would print.
        CommandLineRun bench = inOwnProcess(
                patient,
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
        assertThat(on(place, "list", "--format", "json").succeeded())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void refuses_what_a_counter_cannot_do() {
        on(place, "next", "order_id", "--create").printed("1\n");
        for (String mode : List.of("SYNC", "GROUPED")) {
            on(place, "next", "order_id", "--mode", mode).failedWith("not part of one");
        }
        on(place, "next", "order_id", "--mode", "POOLED").failedWith("ASYNC or COMBINED");
        on(place, "next", "order_id", "--mode", "CONFIRMED")
                .failedWith("its reads do not show every earlier reservation", "use COMBINED");
        on(place, "next", "nobody").failedWith("'nobody'", "create it first");
    }

    @Test
    void says_in_one_line_what_is_wrong_with_the_way_there() {
        on("couchbase://127.0.0.1", "next", "s").failedWith("BUCKET");
        on(place + "&colour=red", "next", "s").failedWith("'colour'");
        on(place + "&durability=some", "next", "s").failedWith("durability", "majority");
    }

    private static CommandLineRun inOwnProcess(String store, String... arguments) {
        return CommandLineRun.inOwnProcess(Map.of("SERIATIM_STORE", store), arguments);
    }
}
