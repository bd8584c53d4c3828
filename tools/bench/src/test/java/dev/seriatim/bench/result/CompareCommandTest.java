// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

    private static final Figures SYNC = SampleRun.of("spanner", "", "SYNC")
            .threads(10)
            .perSecond(100)
            .p50(4)
            .made();
    private static final Figures BATCH = SampleRun.of("spanner", "", "BATCH")
            .threads(10)
            .perSecond(1000)
            .p50(2)
            .made();

    private final StringBuilder out = new StringBuilder();
    private final StringBuilder err = new StringBuilder();

    @TempDir
    private Path folder;

    @Test
    void the_same_runs_stand_side_by_side_with_their_ratios() throws Exception {
        Figures faster = SampleRun.of("spanner", "", "SYNC")
                .threads(10)
                .perSecond(400)
                .p50(1)
                .made();
        Figures same = SampleRun.of("spanner", "", "BATCH")
                .threads(10)
                .perSecond(1000)
                .p50(2)
                .made();
        assertThat(compare(file("a", SYNC, BATCH), file("b", same, faster))).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).startsWith("A: ").endsWith("a.json");
        assertThat(lines.get(2)).isEmpty();
        assertThat(lines.get(3))
                .matches("run +threads +processes +A values/s +B values/s +B/A +A p99 ms +B p99 ms +B/A");
        assertThat(lines.get(4)).matches("spanner / SYNC +10 +1 +100.0 +400.0 +4.000 +13.600 +3.400 +0.250");
        assertThat(lines.get(5)).matches("spanner / BATCH +10 +1 +1,000.0 +1,000.0 +1.000 +6.800 +6.800 +1.000");
        assertThat(lines.subList(3, 6)).allSatisfy(line -> assertThat(line).hasSameSizeAs(lines.get(3)));
        assertThat(lines.get(7)).isEqualTo("geometric mean of B/A over 2 runs: 2.000");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void runs_of_one_file_only_are_named() throws Exception {
        Figures more = SampleRun.of("couchbase", "two processes", "ASYNC")
                .threads(4)
                .processes(2)
                .made();
        compare(file("a", SYNC, BATCH), file("b", BATCH, more));
        assertThat(out.toString())
                .contains("Only in A\n  spanner / SYNC, 10 threads\n")
                .contains("Only in B\n  couchbase / two processes / ASYNC, 4 threads, 2 processes\n");
    }

    @Test
    void the_same_mode_at_other_threads_is_another_run() throws Exception {
        Figures other = SampleRun.of("spanner", "", "SYNC").threads(50).made();
        compare(file("a", SYNC), file("b", other));
        assertThat(out.toString()).contains("the files have no run in common").doesNotContain("geometric mean");
    }

    @Test
    void what_was_measured_otherwise_is_pointed_out_above() throws Exception {
        Measurements a = Samples.of("MariaDB 11.8.6", List.of(SYNC));
        Measurements b = new Measurements(
                a.store(),
                "PostgreSQL 18.1",
                Map.of("sync_binlog", "0"),
                1,
                1,
                null,
                a.jdk(),
                2,
                "",
                "",
                false,
                a.runs(),
                List.of());
        compare(file("a", a), file("b", b));
        assertThat(out.toString().lines().skip(3).limit(7).map(line -> line.replaceAll("  +", "  ")))
                .containsExactly(
                        "Measured under different conditions",
                        "what  A  B",
                        "engine  MariaDB 11.8.6  PostgreSQL 18.1",
                        "innodb_flush_log_at_trx_commit  1  -",
                        "sync_binlog  1  0",
                        "innodb_doublewrite  ON  -",
                        "cores  8  2");
    }

    @Test
    void json_holds_the_same() throws Exception {
        Figures slower = SampleRun.of("spanner", "", "SYNC")
                .threads(10)
                .perSecond(50)
                .p50(0)
                .made();
        compare(file("a", SYNC, BATCH), file("b", slower), "--format", "json");
        JsonObject whole = JsonParser.parseString(out.toString()).getAsJsonObject();
        JsonObject run = whole.getAsJsonArray("runs").get(0).getAsJsonObject();
        assertThat(run.get("label").getAsString()).isEqualTo("SYNC");
        assertThat(run.get("values_per_second_a").getAsDouble()).isEqualTo(100);
        assertThat(run.get("values_per_second_b").getAsDouble()).isEqualTo(50);
        assertThat(run.get("values_ratio").getAsDouble()).isEqualTo(0.5);
        assertThat(run.get("p99_ratio").isJsonNull()).isTrue();
        assertThat(whole.getAsJsonArray("only_a")).hasSize(1);
        assertThat(whole.getAsJsonArray("only_b")).isEmpty();
        assertThat(whole.get("geometric_mean_ratio").getAsDouble()).isEqualTo(0.5);
    }

    @Test
    void files_that_are_missing_or_not_ours_are_refused_in_one_line() throws Exception {
        Path ours = file("a", SYNC);
        Path gone = folder.resolve("gone.json");
        assertThat(compare(ours, gone)).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo(gone + ": there is no such file; name a file that 'bench --json FILE' wrote\n");
        Path theirs = Files.writeString(folder.resolve("theirs.json"), "{\"runs\": [1]}");
        assertThat(compare(theirs, ours)).isEqualTo(1);
        assertThat(err.toString()).contains(theirs + " is not a report of bench: run 1 is not an object");
        assertThat(compare(folder, ours)).isEqualTo(1);
        Path bytes = Files.write(folder.resolve("bytes.json"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(compare(ours, bytes)).isEqualTo(1);
        assertThat(err.toString()).contains(bytes + " is not a report of bench: it is not a JSON object");
        assertThat(err.toString().lines()).hasSize(4);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void a_wrong_command_line_is_refused() throws Exception {
        Path ours = file("a", SYNC);
        assertThat(run(ours.toString())).isEqualTo(2);
        assertThat(run(ours.toString(), ours.toString(), ours.toString())).isEqualTo(2);
        assertThat(run(ours.toString(), ours.toString(), "--format", "xml")).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
    }

    private Path file(String name, Figures... runs) throws IOException {
        return file(name, Samples.of(runs));
    }

    private Path file(String name, Measurements measurements) throws IOException {
        return Files.writeString(folder.resolve(name + ".json"), MeasurementsJson.write(measurements));
    }

    private int compare(Path a, Path b, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = a.toString();
        args[1] = b.toString();
        System.arraycopy(options, 0, args, 2, options.length);
        return run(args);
    }

    private int run(String... args) {
        TypedCommand typed = TypedCommand.of(new CompareCommand(), List.of(args));
        out.append(typed.out());
        err.append(typed.err());
        return typed.code();
    }
}
