// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.SpannerEmulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command, in processes of its own, on Spanner. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CommandTest {

    private final EmulatorDatabase database =
            EmulatorDatabase.create("CREATE TABLE orders (id INT64) PRIMARY KEY (id)");

    /** What a command left behind. */
    private record Outcome(int code, String out, String err, Duration took) {

        Outcome failed(String... said) {
            assertThat(code).isEqualTo(1);
            assertThat(out).isEmpty();
            assertThat(err).startsWith("seriatim: ").hasLineCount(1).contains(said);
            return this;
        }

        Outcome done(String printed) {
            assertThat(err).isEmpty();
            assertThat(out).isEqualTo(printed);
            assertThat(code).isZero();
            return this;
        }
    }

    @Test
    void draws_shows_and_changes() {
        run(database.url(), "next", "order_id", "--create", "-n", "3").done("1\n2\n3\n");
        run(database.url(), "next", "order_id", "-n", "2", "--mode", "GROUPED").done("4\n5\n");
        database.execute("INSERT INTO orders (id) VALUES (41)");
        assertThat(run(database.url(), "sync", "order_id", "--from", "orders.id")
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
    void benchmarks_and_checks_its_numbers() {
        Outcome bench = run(
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
                .as("its own are gone")
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
        Outcome audit = run(
                shop.url(),
                "audit",
                "invoice",
                "--table",
                "invoices",
                "--column",
                "number",
                "--ordered-by",
                "made",
                "--gapless");
        assertThat(audit.code()).isEqualTo(3);
        assertThat(audit.out()).contains("3 … 4").contains("duplicate").contains("order");
        run(shop.url(), "audit", "invoice", "--table", "invoices", "--column", "id")
                .failed("STRING");
        run(shop.url(), "audit", "invoice", "--table", "invoices", "--column", "none")
                .failed("no column 'none'");
        run(shop.url(), "audit", "invoice", "--table", "bills", "--column", "none")
                .failed("no table 'bills'");
    }

    @Test
    void expects_no_order_of_reversed_numbers() {
        Outcome bench = run(
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
        run(url.replace("/databases/", "/databases/no-"), "next", "s").failed("no such database", "/databases/no-");
        run(url.replace("/instances/", "/instances/no-"), "next", "s").failed("no such instance");
        run(url.replace("projects/", "projects/no-"), "next", "s").failed("no such");
        run("spanner:" + name.substring(0, name.lastIndexOf('/')), "next", "s").failed("write spanner:projects/P/");
        run(url + "&colour=red", "next", "s").failed("unknown option 'colour'");
        run(url + "&kind=next", "next", "s").failed("table=NAME");
        run(url + "&sequences=native&table=t", "next", "s").failed("'table' is for sequences in a table");
        run(url + "&skip-range-min=1&skip-range-max=2", "next", "s").failed("sequences=native");
        run(url + "&sequences=native&skip-range-min=5&skip-range-max=2", "next", "s")
                .failed("5 … 2");
        run(url + "&table=sequences", "next", "s").failed("'s': not found in table sequences");
        run(url + "&table=orders", "next", "s").failed("orders", "columns");
    }

    @Test
    void needs_credentials_where_there_is_no_emulator() {
        run("spanner:" + database.id().getName(), "next", "s").failed("credentials", "gcloud auth");
    }

    @Test
    void gives_a_server_up_that_is_down_or_does_not_answer() {
        try (SpannerEmulator emulator = SpannerEmulator.start()) {
            EmulatorDatabase own = EmulatorDatabase.on(emulator);
            emulator.suspend();
            Outcome hung = run(own.url("timeout=2s"), "next", "s").failed("did not answer in time");
            assertThat(hung.took()).isLessThan(Duration.ofSeconds(12));
            emulator.resume();
            emulator.kill();
            Outcome down = run(own.url("timeout=2s"), "next", "s").failed("cannot be reached");
            assertThat(down.took()).isLessThan(Duration.ofSeconds(12));
        }
    }

    private static Outcome run(String store, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.seriatim.cli.Main"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--store", store));
        long began = System.nanoTime();
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            // Credentials of whoever runs the tests are none of theirs.
            builder.environment().put("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/credentials.json");
            builder.environment().remove("SPANNER_EMULATOR_HOST");
            Process process = builder.start();
            process.getOutputStream().close();
            var err = process.getErrorStream();
            StringBuilder said = new StringBuilder();
            Thread reader = new Thread(() -> {
                try {
                    said.append(new String(err.readAllBytes(), StandardCharsets.UTF_8));
                } catch (IOException e) {
                    said.append(e);
                }
            });
            reader.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            reader.join();
            return new Outcome(
                    code, out, withoutJavasWarnings(said.toString()), Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Later Java complains of what the client does, without naming us. */
    private static String withoutJavasWarnings(String said) {
        return said.replaceAll("(?m)^WARNING: .*\\R", "");
    }
}
