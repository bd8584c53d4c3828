// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.spanner;

import static dev.seriatim.cli.CommandLineRun.on;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.connection.ConnectionOptions;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The benchmark of the keys that Spanner itself makes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
@ResourceLock(JdbcEmulator.CONNECTIONS)
class SpannerKeysTest {

    private static final List<String> DATABASES_OWN = List.of(
            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ''",
            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SEQUENCES");

    private final JdbcEmulator database = JdbcEmulator.create();

    @AfterAll
    static void closeClient() {
        ConnectionOptions.closeSpanner(); // fails if connections were not closed
    }

    @Test
    void are_measured_beside_the_modes_without_an_error_though_transactions_are_aborted() {
        CommandLineRun bench = on(
                database.url("autoConfigEmulator=true"),
                "bench",
                "--scenario",
                "spanner",
                "--baselines",
                "--mode",
                "SYNC,NATIVE,AUTO_INCREMENT,UUID,UUID_V4,ADAPTIVE",
                "--threads",
                "4",
                "--iterations",
                "20",
                "--duration",
                "200ms",
                "--rounds",
                "1",
                "--format",
                "json");
        assertThat(bench.code()).as(bench.err()).isZero();
        List<JsonObject> runs = StreamSupport.stream(
                        JsonParser.parseString(bench.out())
                                .getAsJsonObject()
                                .getAsJsonArray("runs")
                                .spliterator(),
                        false)
                .map(run -> run.getAsJsonObject())
                .toList();
        assertThat(runs.stream()
                        .map(run -> run.get("experiment").getAsString() + ":"
                                + run.get("mode").getAsString()))
                .containsExactlyInAnyOrder(
                        ":SYNC",
                        ":ADAPTIVE",
                        ":NATIVE",
                        ":UUID_V4",
                        "a row each:AUTO_INCREMENT",
                        "a row each:NATIVE",
                        "a row each:UUID",
                        "a row each:UUID_V4",
                        "a row each:ADAPTIVE");
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.get("values_per_second").getAsDouble()).isPositive();
            assertThat(run.get("errors").getAsLong()).isZero();
            assertThat(run.get("duplicates").getAsLong()).isZero();
        });
        assertThat(DATABASES_OWN)
                .allSatisfy(query -> assertThat(database.numbers(query))
                        .as("what the benchmark left")
                        .containsExactly(0L));
    }

    @Test
    void have_no_cache_and_so_are_refused_with_one() {
        CommandLineRun bench = on(database.url("autoConfigEmulator=true"), "bench", "--mode", "NATIVE");
        assertThat(bench.code()).isEqualTo(1);
        assertThat(bench.err()).contains("its sequences have no cache", "--batch-size 1");
    }
}
