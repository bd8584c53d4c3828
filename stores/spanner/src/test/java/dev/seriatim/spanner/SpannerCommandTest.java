// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.servers.Server;
import dev.seriatim.servers.SpannerEmulator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command on Spanner. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
@Order(1)
class SpannerCommandTest {

    private final EmulatorDatabase database = EmulatorDatabase.drawing(place(), place().create("orders", "id INT64"));

    /** Returns where the sequences are. */
    Place place() {
        return Place.GOOGLE;
    }

    @Test
    void the_program_prints_no_logs_of_the_client() {
        inOwnProcess(database.url(), "next", "order_id", "--create", "-n", "3").printed("1\n2\n3\n");
        inOwnProcess(database.url(), "next", "order_id", "-n", "2").printed("4\n5\n");
        String down = "spanner:" + database.id().getName() + "?emulator=localhost:1&timeout=2s";
        inOwnProcess(down, "next", "order_id").failedWith("cannot be reached", "check the network");
    }

    @Test
    void needs_credentials_where_there_is_no_emulator() {
        inOwnProcess("spanner:" + database.id().getName(), "next", "s").failedWith("credentials", "gcloud auth");
    }

    @Test
    void draws_shows_and_changes() {
        String url = database.url();
        on(url, "next", "order_id", "--create", "-n", "3").printed("1\n2\n3\n");
        on(url, "next", "order_id", "-n", "2", "--mode", "GROUPED").printed("4\n5\n");
        database.execute("INSERT INTO orders (id) VALUES (41)");
        assertThat(on(url, "sync", "order_id", "--column", "orders.id").succeeded())
                .contains("42");
        assertThat(on(url, "show", "order_id").succeeded()).contains("next value    42");
        String natives = database.url("sequences=native");
        String key = place().path("order_key");
        on(natives, "create", key).succeeded();
        on(natives, "next", key).printed((1L << 62) + "\n");
        assertThat(on(natives, "show", key, "--format", "json").succeeded())
                .contains("\"deals_next\": \"" + (1L << 61) + "\"");
        on(natives, "alter", key).refusedWith("nothing to alter");
        on(natives + "&skip-range-min=1&skip-range-max=" + (1L << 62), "alter", key)
                .printed("altered '" + key + "', its next value is 2\n");
        assertThat(on(natives, "show", key).succeeded()).contains("skips         1 … " + (1L << 62));
        assertThat(on(natives, "list").succeeded()).contains(key);
        on(natives, "drop", key).succeeded();
    }

    @Test
    void makes_the_experiments_of_the_sources_again() {
        // Not in this process, where main does not silence the client's logs, which the second one would print.
        CommandLineRun bench = inOwnProcess(
                database.url(),
                "bench",
                "--scenario",
                "spanner,couchbase",
                "--mode",
                "SYNC,ASYNC_BATCH,ASYNC",
                "--threads",
                "2",
                "--iterations",
                "40",
                "--duration",
                "300ms",
                "--rounds",
                "1");
        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out()).startsWith("spanner\n").contains("ASYNC_BATCH", "couchbase: two processes");
    }

    @Test
    void benchmarks_and_checks_its_numbers() {
        CommandLineRun bench = on(
                database.url(),
                "bench",
                "--mode",
                "SYNC,GROUPED,ASYNC,COMBINED,BATCH,ASYNC_BATCH,ADAPTIVE",
                "--threads",
                "4",
                "--iterations",
                "100",
                "--warmup",
                "0",
                "--app-latency",
                "0ms");
        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out()).contains("GROUPED", "COMBINED", "ASYNC_BATCH");
        assertThat(on(database.url(), "list", "--format", "json").succeeded())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void audits_a_column() {
        EmulatorDatabase shop = EmulatorDatabase.at(
                place(), place().create("invoices", "id STRING(36)", "number INT64", "made TIMESTAMP"));
        on(shop.url(), "next", "invoice", "--create", "-n", "6").printed("1\n2\n3\n4\n5\n6\n");
        shop.execute("INSERT INTO invoices (id, number, made) VALUES ('a', 1, '2026-01-01T00:00:00Z'),"
                + " ('b', 2, '2026-01-02T00:00:00Z'), ('c', 2, '2026-01-02T00:00:00Z'),"
                + " ('d', 6, '2026-01-03T00:00:00Z'), ('e', 5, '2026-01-04T00:00:00Z'), ('f', NULL, NULL)");
        CommandLineRun audit =
                on(shop.url(), "audit", "invoice", "--column", "invoices.number", "--ordered-by", "made", "--gapless");
        assertThat(audit.code()).isEqualTo(3);
        assertThat(audit.out()).contains("3 … 4").contains("duplicate").contains("order");
        on(shop.url(), "audit", "invoice", "--column", "invoices.id")
                .failedWith("STRING", "name a column of type " + place().sql().integer());
        on(shop.url(), "audit", "invoice", "--column", "invoices.none").failedWith("no column 'none'");
        on(shop.url(), "audit", "invoice", "--column", "bills.none").failedWith("no table 'bills'");
    }

    @Test
    void expects_no_order_of_reversed_numbers() {
        assumeTrue(
                place().isGoogle(),
                "in PostgreSQL's dialect, the emulator fails simultaneous draws from its sequences");
        CommandLineRun bench = on(
                database.url("sequences=native"),
                "bench",
                "--mode",
                "ASYNC,BATCH",
                "--threads",
                "4",
                "--iterations",
                "50",
                "--warmup",
                "0",
                "--app-latency",
                "0ms");
        assertThat(bench.code()).as(bench.err()).isZero();
    }

    @Test
    void says_in_one_line_what_is_wrong_with_the_way_there() {
        String url = database.plainUrl();
        String name = database.id().getName();
        refused(url.replace("/databases/", "/databases/no-"), "no such database", "/databases/no-");
        refused(url.replace("/instances/", "/instances/no-"), "no such instance");
        refused(url.replace("projects/", "projects/no-"), "no such");
        refused("spanner:" + name.substring(0, name.lastIndexOf('/')), "write spanner:projects/P/");
        refused(url + "&colour=red", "unknown option 'colour'");
        refused(url + "&kind=next", "table=NAME");
        refused(url + "&sequences=native&table=t", "'table' is not for native sequences");
        refused(url + "&skip-range-min=1&skip-range-max=2", "sequences=native");
        refused(url + "&sequences=native&skip-range-min=5&skip-range-max=2", "5 … 2");
        refused(url + "&table=sequences", "'s': not found in table sequences");
        refused(url + "&table=orders", "orders", "columns", "kind=last", "kind=next");
    }

    @Test
    void gives_a_server_up_that_is_down_or_does_not_answer() {
        try (Server emulator = SpannerEmulator.start()) {
            String url = EmulatorDatabase.on(emulator.address()).url("timeout=2s");
            emulator.suspend();
            failsInTime(url, "did not answer in time");
            emulator.resume();
            emulator.kill();
            failsInTime(url, "cannot be reached");
        }
    }

    private static void failsInTime(String url, String said) {
        long began = System.nanoTime();
        on(url, "next", "s").failedWith(said);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }

    private static void refused(String url, String... said) {
        on(url, "next", "s").failedWith(said);
    }

    /** Hides the credentials and the emulator of the user who runs the tests. */
    static CommandLineRun inOwnProcess(String store, String... arguments) {
        Map<String, String> env = Map.of(
                "SERIATIM_STORE",
                store,
                "GOOGLE_APPLICATION_CREDENTIALS",
                "/nowhere/credentials.json",
                "SPANNER_EMULATOR_HOST",
                "");
        return CommandLineRun.inOwnProcess(env, arguments);
    }
}
