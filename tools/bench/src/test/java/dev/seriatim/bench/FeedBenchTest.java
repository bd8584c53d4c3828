// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.seriatim.cli.TypedCommand;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedBenchTest {

    @TempDir
    private Path folder;

    private static TypedCommand run(String url, String... more) {
        String shortly = "--scenario feeds --threads 8 --rounds 1 --duration 200ms --iterations 6000";
        return BenchRun.on(
                url,
                Stream.concat(Stream.of(shortly.split(" ", -1)), Stream.of(more))
                        .toArray(String[]::new));
    }

    private static JsonObject way(TypedCommand run, String name) {
        return run.objects("ways").stream()
                .filter(way -> way.get("way").getAsString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void readsAll(TypedCommand run, String... ways) {
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.objects("ways"))
                .extracting(way -> way.get("way").getAsString())
                .containsExactly(ways);
        assertThat(run.objects("ways")).allSatisfy(way -> {
            assertThat(way.get("rows_per_second").getAsDouble()).isPositive();
            assertThat(way.get("p99_ms").getAsDouble())
                    .isGreaterThanOrEqualTo(way.get("p50_ms").getAsDouble());
            if (!way.get("way").getAsString().equals("IDENTITY")) {
                assertThat(way.get("lost").getAsLong()).as(way.toString()).isZero();
            }
        });
    }

    @Test
    void a_file_has_three_ways_and_a_page_and_nothing_is_left() throws Exception {
        Path page = folder.resolve("ways.html");
        TypedCommand run = run(
                "sqlite:" + folder.resolve("rows.db"),
                "--format",
                "json",
                "--html",
                page.toString(),
                "--app-latency",
                "100ms");
        readsAll(run, "IDENTITY", "FEED", "SYNC");
        assertThat(run.objects("ways")) // one at a time writes, for 100 ms each
                .allSatisfy(way ->
                        assertThat(way.get("rows_per_second").getAsDouble()).isLessThan(15));
        assertThat(way(run, "IDENTITY").get("lost").getAsLong()).isZero(); // it has one writer
        assertThat(way(run, "FEED").get("stamped_per_second").isJsonNull()).isTrue();
        assertThat(Files.readString(page)).contains("Ways to number rows for a poller", "given after the commit");
        assertThat(folder.resolve("rows.db")).doesNotExist();
    }

    @Test
    @Tag("long")
    void postgresql_has_five_ways_of_which_one_loses_rows() throws SQLException {
        Database database = Engine.POSTGRESQL.freshDatabase();
        TypedCommand run = run(database.url(), "--format", "json");
        readsAll(run, "IDENTITY", "FEED", "LOCK", "SYNC", "XID");
        assertThat(way(run, "IDENTITY").get("lost").getAsLong()).isPositive();
        assertThat(way(run, "FEED").get("stamped_per_second").getAsDouble()).isGreaterThan(100);
        assertThat(database.number("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE n.nspname = 'public'"))
                .isZero();
    }

    @Test
    @Tag("long")
    void mariadb_has_four_ways_of_which_one_loses_rows() throws SQLException {
        Database database = Engine.MARIADB.freshDatabase();
        TypedCommand run = run(database.url());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).containsSubsequence("IDENTITY", "FEED", "LOCK", "SYNC");
        assertThat(database.number("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory: | --scenario feeds | has no tables, which feeds need",
                "memory: | --scenario feeds,dsql | --scenario feeds runs alone, with all its ways",
                "memory: | --scenario feeds --mode SYNC | --scenario feeds runs alone, with all its ways",
                "memory: | --scenario feeds --csv runs.csv | --scenario feeds has --json and --html only",
            })
    void wrong_input_is_refused_in_one_line(String url, String options, String message) {
        TypedCommand run = BenchRun.on(url, options.split(" ", -1));
        assertThat(run.code()).isBetween(1, 2);
        assertThat(run.err()).contains(message);
        assertThat(run.err().strip().lines()).hasSize(1);
    }
}
