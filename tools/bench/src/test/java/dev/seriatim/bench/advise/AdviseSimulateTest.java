// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.bench.result.SampleRun;
import dev.seriatim.cli.CommandLineRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviseSimulateTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's to set
    private Path folder;

    private static CommandLineRun line(String words) {
        return CommandLineRun.of(Map.of(), words.split(" ", -1));
    }

    private static JsonObject json(String words) {
        return JsonParser.parseString(line(words + " --format json").succeeded())
                .getAsJsonObject();
    }

    @Test
    void simulates_what_it_advises() {
        String text = line("advise --rate 5/s --latency 2ms --instances 100 --simulate regions=2,rtt=20ms")
                .succeeded();
        assertThat(text)
                .contains(
                        "mode             ADAPTIVE",
                        "values           500/s expected of 100 instances",
                        "simulated        ADAPTIVE; 100 instances in 2 regions, 20 ms apart, at 5/s each",
                        "seed 1",
                        "/s of 500/s wanted",
                        "on the sequence's row, which is held",
                        "values for each that was drawn since the start",
                        "p99",
                        "lost in a crash  of each instance:",
                        "in flight        the lowest value not yet dealt");
    }

    @Test
    void the_figures_for_one_instance_do_not_contradict_those_for_many() {
        String words = "advise --rate 500/s --latency 10ms --instances 100 --simulate";
        assertThat(line(words).succeeded().replaceAll("\\s+", " "))
                .contains("at most 2000 values per instance, if its reservations do not queue at the row");
        JsonObject lost = result(json(words)).getAsJsonObject("lost_in_crash");
        assertThat(lost.get("mean").getAsDouble()).isLessThan(10 * 500);
    }

    @Test
    void json_holds_the_advice_and_the_simulation() {
        JsonObject report = json(
                "advise --rate 50/s --latency 10ms --instances 3 --simulate batch=100,mark=20 --mode ASYNC_BATCH --seed 9");
        assertThat(report.get("mode").getAsString()).isEqualTo("ADAPTIVE");
        assertThat(report.get("values_per_second").getAsDouble()).isEqualTo(150);
        JsonObject plan = plan(report);
        assertThat(plan.get("mode").getAsString()).isEqualTo("ASYNC_BATCH");
        assertThat(plan.get("seed").getAsLong()).isEqualTo(9);
        assertThat(plan.getAsJsonObject("blocks").get("size").getAsLong()).isEqualTo(100);
        assertThat(plan.getAsJsonObject("fleet").get("instances").getAsLong()).isEqualTo(3);
        assertThat(plan.get("demand").toString()).isEqualTo("{\"per_second\":50.0}");
        JsonObject result = result(report);
        assertThat(result.get("values_per_second").getAsDouble()).isBetween(140.0, 160.0);
        assertThat(result.get("reservations_per_second").getAsDouble()).isBetween(1.4, 1.6);
        assertThat(result.get("reserved_per_used").getAsDouble()).isBetween(1.0, 1.1);
        assertThat(result.get("p99_nanos").getAsDouble()).isZero();
        JsonObject lost = result.getAsJsonObject("lost_in_crash");
        assertThat(lost.get("most").getAsLong()).isBetween(100L, 120L);
        assertThat(lost.get("mean").getAsDouble()).isBetween(60.0, 80.0);
        assertThat(result.getAsJsonObject("in_flight").get("mean").getAsDouble())
                .isPositive();
    }

    private static JsonObject plan(JsonObject report) {
        return report.getAsJsonObject("simulation").getAsJsonObject("plan");
    }

    private static JsonObject result(JsonObject report) {
        return report.getAsJsonObject("simulation").getAsJsonObject("result");
    }

    @Test
    void threads_need_no_rate() {
        JsonObject report = json("advise --latency 10ms --mode SYNC --simulate threads=5,work=30ms,duration=40s");
        assertThat(report.keySet()).containsExactly("simulation");
        assertThat(result(report).get("values_per_second").getAsDouble()).isBetween(24.9, 25.1);
        assertThat(plan(report).get("demand").toString()).isEqualTo("{\"threads\":5}");
        assertThat(plan(report).get("counted").getAsDouble()).isEqualTo(40);
        assertThat(plan(report).get("work").getAsDouble()).isEqualTo(0.03);
    }

    @Test
    void reservations_overlap_beside_the_row_and_a_read_confirms() {
        JsonObject overlapping = json("advise --latency 10ms --mode ASYNC --simulate threads=50,work=10ms,row=2ms");
        assertThat(plan(overlapping).getAsJsonObject("store").get("row").getAsDouble())
                .isEqualTo(0.002);
        assertThat(result(overlapping).get("values_per_second").getAsDouble()).isBetween(495.0, 505.0);
        String words = "advise --latency 10ms --read-latency 1ms --mode CONFIRMED --simulate threads=10,work=10ms";
        assertThat(plan(json(words)).getAsJsonObject("store").get("read").getAsDouble())
                .isEqualTo(0.001);
        assertThat(line(words).succeeded()).contains("CONFIRMED; 1 instance, a read of 1 ms, with 10 threads");
    }

    @Test
    void help_lists_only_modes_that_can_be_simulated() {
        String help = line("advise --help").succeeded().replaceAll("\\s+", " ");
        assertThat(help)
                .contains(
                        "The mode to simulate: SYNC, GROUPED, ASYNC, COMBINED, CONFIRMED, BATCH, ASYNC_BATCH, ADAPTIVE.")
                .doesNotContain("POOLED");
    }

    @Test
    void the_same_seed_prints_the_same() {
        String words = "advise --rate 50/s --latency 10ms --guarantee ordered --instances 20 --simulate";
        assertThat(line(words).succeeded()).isEqualTo(line(words + " --seed 1").succeeded());
        assertThat(line(words).succeeded())
                .isNotEqualTo(line(words + " --seed 2").succeeded());
    }

    @Test
    void compares_itself_with_measured_runs_and_names_those_it_does_not_know() throws Exception {
        Path file = folder.resolve("runs.json");
        Files.writeString(
                file,
                SampleRun.json(
                        10,
                        SampleRun.of("modes", "", "SYNC").threads(10).work(10).perSecond(40),
                        SampleRun.of("spanner", "", "BATCH")
                                .threads(10)
                                .work(10)
                                .batchSize(200)
                                .perSecond(952.38),
                        SampleRun.of("modes", "", "ATOMIC_LONG").work(10),
                        SampleRun.of("modes", "", "POOLED").work(10),
                        SampleRun.of("modes", "", "BATCH").batchSize(5).work(0),
                        SampleRun.of("open-loop", "", "BATCH").threads(8)));
        String text = line("advise --against " + file).succeeded();
        assertThat(text.lines().toList().get(1)).matches("SYNC +10 +40\\.0 +50\\.0 +25\\.0");
        assertThat(text.lines().toList().get(2)).matches("BATCH +10 +952\\.4 +9\\d\\d\\.\\d +-?\\d\\.\\d");
        assertThat(text.replaceAll("  +", "  "))
                .contains(
                        "largest error, %  25",
                        "ATOMIC_LONG  modes  1  this mode cannot be simulated",
                        "POOLED  modes  1",
                        "BATCH  modes  1  only the work of callers limits a mode",
                        "BATCH  open-loop  8");
        JsonObject report = json("advise --against " + file);
        JsonArray compared = report.getAsJsonArray("compared");
        assertThat(compared).hasSize(2);
        assertThat(compared.get(0).getAsJsonObject().get("error_percent").getAsDouble())
                .isBetween(24.9, 25.1);
        assertThat(report.getAsJsonArray("left_out")).hasSize(4);
        assertThat(report.get("largest_error_percent").getAsDouble()).isBetween(24.9, 25.1);
    }

    @Test
    void a_file_that_is_no_report_is_refused() throws Exception {
        Path file = folder.resolve("other.json");
        for (String[] other : new String[][] {
            {"", "it is empty"},
            {"notes", "it is not a JSON object"},
            {"not json {", "it is not a JSON object"},
            {"[]", "it is not a JSON object"},
            {"{}", "it has no list 'runs'"},
            {"{\"runs\": [{}]}", "run 1 has no 'scenario'"}
        }) {
            Files.writeString(file, other[0]);
            line("advise --against " + file)
                    .failedWith(file + " is not a report of bench: " + other[1]
                            + "; name a file that 'bench --json FILE' wrote");
        }
        Files.writeString(file, SampleRun.json(1));
        line("advise --against " + file).failedWith(file + " has no run that can be simulated;");
        Files.writeString(file, SampleRun.json(1, SampleRun.of("modes", "", "POOLED")));
        line("advise --against " + file)
                .failedWith(file + " has no run that can be simulated (the first: POOLED cannot be simulated");
        line("advise --against " + folder.resolve("none")).failedWith("none: there is no such file");
        line("advise --against " + folder).failedWith("Is a directory; name a file that");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5 --latency 1ms --simulate regoins=4 | its keys, beside --instances, are regions, rtt, threads, work, row, batch, mark, duration, not 'regoins', did you mean 'regions'?",
                "--rate 5 --latency 1ms --simulate fast | regions=3,rtt=80ms, not 'fast'",
                "--rate 5 --latency 1ms --simulate regions= | not 'regions='",
                "--rate 5 --latency 1ms --simulate regions=0 | regions= takes a whole number from 1 to 1000, such as regions=10, not '0'",
                "--rate 5 --latency 1ms --simulate regions=99999999999999999999 | regions= takes a whole number",
                "--rate 5 --latency 1ms --simulate regions=2,regions=3 | regions= is given twice",
                "--rate 5 --latency 1ms --instances 9 --simulate regions=3,rtt=80 | rtt= takes a duration of up to 1h, such as rtt=80ms, not '80'",
                "--rate 5 --latency 1ms --instances 9 --simulate regions=3 | regions= needs the time between them, such as rtt=80ms",
                "--rate 5 --latency 1ms --simulate rtt=80ms | add regions=",
                "--rate 5 --latency 1ms --simulate regions=3,rtt=80ms | regions=3 is more than --instances 1; use more instances",
                "--rate 5 --latency 1ms --simulate work=1ms | add threads=",
                "--rate 5 --latency 1ms --simulate row=2ms | row= is the part of --latency for which",
                "--rate 5 --latency 1ms --simulate row=0ms | row= is the part of --latency for which",
                "--rate 5 --latency 1ms --simulate batch=5 | batch= applies to --mode BATCH or ASYNC_BATCH, not to ADAPTIVE",
                "--rate 5 --latency 1ms --mode BATCH --simulate mark=5 | mark= applies to --mode ASYNC_BATCH, not to BATCH",
                "--rate 5 --latency 1ms --mode ASYNC_BATCH --simulate batch=5,mark=6 | the mark must be at most the block size",
                "--rate 5 --latency 1ms --simulate duration=0s | duration must be above 0",
                "--rate 5 --latency 1ms --simulate duration=700h | duration must be at most",
                "--latency 1ms --mode BATCH --simulate threads=5,work=0ms | make work longer than 0",
                "--latency 1ms --mode SYNC --simulate threads=1000 --instances 10000 | must be at most 2000000, not 10000000",
                "--latency 1ms --mode POOLED --simulate threads=5 | --mode is one of SYNC, GROUPED, ASYNC, COMBINED, CONFIRMED, BATCH, ASYNC_BATCH, ADAPTIVE, not 'POOLED'",
                "--rate 50000 --latency 10ms --guarantee gapless --instances 2 --simulate | the recommended mode POOLED cannot be simulated; name another, --mode SYNC, GROUPED",
                "--latency 1ms --mode FAST --simulate threads=5 | --mode is one of SYNC, GROUPED, ASYNC, COMBINED, CONFIRMED, BATCH, ASYNC_BATCH, ADAPTIVE, not 'FAST'",
                "--latency 1ms --simulate threads=5 | no mode is recommended; name one, such as --mode COMBINED",
                "--latency 1ms --instances 5 --simulate | missing option --rate",
                "--rate 5 --instances 5 --simulate | missing option --latency",
                "--rate 5 --latency 1ms --mode SYNC | --mode requires --simulate; add it; see",
                "--rate 5 --latency 1ms --seed 5 | --seed requires --simulate; add it; see",
                "--rate 5 --latency 1ms --mode SYNC --guarantee unique --simulate | leave one of them out",
                "--rate 5 --against x | --against takes its settings from the file",
            })
    void refuses_a_wrong_command_line(String line, String message) {
        line("advise " + line).refusedWith(message);
    }
}
