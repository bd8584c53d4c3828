// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.servers.Server;
import dev.seriatim.servers.SpannerEmulator;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.StoreDriver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command on Spanner, in separate processes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
@Order(1)
class SpannerCommandTest {

    /** On a busy machine, starting a process takes longer than the command waits for an answer. */
    private static final Duration WITH_THE_START_OF_A_PROCESS = Duration.ofSeconds(60);

    private final EmulatorDatabase database =
            EmulatorDatabase.create("CREATE TABLE orders (id INT64) PRIMARY KEY (id)");

    @Test
    void draws_shows_and_changes() {
        run(database.url(), "next", "order_id", "--create", "-n", "3").done("1\n2\n3\n");
        run(database.url(), "next", "order_id", "-n", "2", "--mode", "GROUPED").done("4\n5\n");
        database.execute("INSERT INTO orders (id) VALUES (41)");
        assertThat(run(database.url(), "sync", "order_id", "--column", "orders.id")
                        .out())
                .contains("42");
        assertThat(run(database.url(), "show", "order_id").out()).contains("next value    42");
        assertThat(run(database.url("sequences=native"), "create", "key").err()).isEmpty();
        run(database.url("sequences=native"), "next", "key").done((1L << 62) + "\n");
        assertThat(run(database.url("sequences=native"), "show", "key", "--format", "json")
                        .out())
                .contains("\"deals_next\": \"" + (1L << 61) + "\"");
    }

    @Test
    void makes_the_experiments_of_the_sources_again() {
        CommandOutcome bench = run(
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
        CommandOutcome bench = run(
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
        assertThat(run(database.url(), "list", "--format", "json").out())
                .as("the benchmark's own sequences are gone")
                .isEqualTo("[]\n");
    }

    @Test
    void audits_a_column() {
        EmulatorDatabase shop = EmulatorDatabase.create(
                "CREATE TABLE invoices (id STRING(36), number INT64, made TIMESTAMP) PRIMARY KEY (id)");
        run(shop.url(), "next", "invoice", "--create", "-n", "6").done("1\n2\n3\n4\n5\n6\n");
        shop.execute("INSERT INTO invoices (id, number, made) VALUES ('a', 1, '2026-01-01T00:00:00Z'),"
                + " ('b', 2, '2026-01-02T00:00:00Z'), ('c', 2, '2026-01-02T00:00:00Z'),"
                + " ('d', 6, '2026-01-03T00:00:00Z'), ('e', 5, '2026-01-04T00:00:00Z'), ('f', NULL, NULL)");
        CommandOutcome audit =
                run(shop.url(), "audit", "invoice", "--column", "invoices.number", "--ordered-by", "made", "--gapless");
        assertThat(audit.code()).isEqualTo(3);
        assertThat(audit.out()).contains("3 … 4").contains("duplicate").contains("order");
        run(shop.url(), "audit", "invoice", "--column", "invoices.id").failed("STRING");
        run(shop.url(), "audit", "invoice", "--column", "invoices.none").failed("no column 'none'");
        run(shop.url(), "audit", "invoice", "--column", "bills.none").failed("no table 'bills'");
    }

    @Test
    void expects_no_order_of_reversed_numbers() {
        CommandOutcome bench = run(
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
        String url = database.url();
        String name = database.id().getName();
        refused(url.replace("/databases/", "/databases/no-"), "no such database", "/databases/no-");
        refused(url.replace("/instances/", "/instances/no-"), "no such instance");
        refused(url.replace("projects/", "projects/no-"), "no such");
        refused("spanner:" + name.substring(0, name.lastIndexOf('/')), "write spanner:projects/P/");
        refused(url + "&colour=red", "unknown option 'colour'");
        refused(url + "&kind=next", "table=NAME");
        refused(url + "&sequences=native&table=t", "'table' is for sequences in a table");
        refused(url + "&skip-range-min=1&skip-range-max=2", "sequences=native");
        refused(url + "&sequences=native&skip-range-min=5&skip-range-max=2", "5 … 2");
        refused(url + "&table=sequences", "'s': not found in table sequences");
        refused(url + "&table=orders", "orders", "columns", "kind=last", "kind=next");
    }

    @Test
    void needs_credentials_where_there_is_no_emulator() {
        run("spanner:" + database.id().getName(), "next", "s").failed("credentials", "gcloud auth");
    }

    @Test
    void gives_a_server_up_that_is_down_or_does_not_answer() {
        try (Server emulator = SpannerEmulator.start()) {
            EmulatorDatabase own = EmulatorDatabase.on(emulator.address());
            String url = own.url("timeout=2s");
            emulator.suspend();
            CommandOutcome hung = run(url, "next", "s").failed("did not answer in time");
            assertThat(hung.took()).isLessThan(WITH_THE_START_OF_A_PROCESS);
            assertThat(timeToGiveUp(url)).isLessThan(Duration.ofSeconds(12));
            emulator.resume();
            emulator.kill();
            CommandOutcome down = run(url, "next", "s").failed("cannot be reached");
            assertThat(down.took()).isLessThan(WITH_THE_START_OF_A_PROCESS);
            assertThat(timeToGiveUp(url)).isLessThan(Duration.ofSeconds(12));
        }
    }

    /** Returns how long the command runs, without the start of its process, which is not part of its patience. */
    private static Duration timeToGiveUp(String url) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> {
                    try (OpenStore store = StoreDriver.open(url)) {
                        store.reserve("s", 1);
                    }
                })
                .isInstanceOf(SequenceException.Unavailable.class);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** Checks the store's refusal in this process; the command would start one for each URL. */
    private static void refused(String url, String... said) {
        assertThatThrownBy(() -> {
                    try (OpenStore store = StoreDriver.open(url)) {
                        store.reserve("s", 1);
                    }
                })
                .isInstanceOf(SequenceException.class)
                .message()
                .hasLineCount(1)
                .contains(said);
    }

    private static CommandOutcome run(String store, String... arguments) {
        return CommandOutcome.of(store, arguments);
    }
}
