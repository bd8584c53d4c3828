// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import org.junit.jupiter.api.Test;

class MeasurementsJsonTest {

    @Test
    void what_was_written_is_read_back_as_it_was() {
        Measurements all = Samples.of("MariaDB 11.8.6", Samples.spanner());
        assertThat(MeasurementsJson.read(MeasurementsJson.write(all))).isEqualTo(all);
    }

    @Test
    void a_file_of_an_older_version_is_completed() {
        Measurements read = MeasurementsJson.read("""
                {"store": "memory", "reservation_ms": 1.5, "jdk": "21", "cores": 2, "interrupted": true,
                 "runs": [{"scenario": "modes", "mode": "ASYNC_BATCH", "threads": 4, "iterations": 200, "batch_size": 200,
                           "low_water_mark": 50, "values_per_second": 12.5, "limit_per_second": null, "p99_ms": 3}],
                 "not_offered": [{"mode": "POOLED", "threads": 4, "reason": "no rows"}]}
                """);
        assertThat(read.engine()).isEmpty();
        assertThat(read.settings()).isEmpty();
        assertThat(read.rowMs()).isNull();
        assertThat(read.readMs()).isNull();
        assertThat(read.interrupted()).isTrue();
        Figures run = read.runs().get(0);
        assertThat(run.label()).isEqualTo("ASYNC_BATCH, batch size 200, low-water mark 50");
        assertThat(run.experiment()).isEmpty();
        assertThat(run.processes()).isEqualTo(1);
        assertThat(run.rounds()).isEmpty();
        assertThat(run.published()).isNull();
        assertThat(run.limitPerSecond()).isNull();
        assertThat(run.p99Ms()).isEqualTo(3);
        assertThat(read.notOffered()).containsExactly(new NotOffered("", "", "POOLED", "POOLED", 4, "no rows"));
        assertThat(HtmlReport.of(read)).contains("ASYNC_BATCH");
    }

    @Test
    void a_file_that_is_none_of_ours_is_refused_with_its_fault_in_one_line() {
        refused("", "it is empty;");
        refused("notes", "it is not JSON;");
        refused("mode,threads\nSYNC,2\n", "it is not JSON;");
        refused("{'runs': []}", "it is not JSON;");
        refused("{\"runs\": []} and more", "it is not JSON;");
        refused("\"notes\"", "it is JSON, but not an object;");
        refused("null", "it is JSON, but not an object;");
        refused("[1, 2]", "it is JSON, but not an object;");
        refused("{}", "it has no list 'runs';");
        refused("{\"runs\": 3}", "no list 'runs'");
        refused("{\"runs\": [7]}", "run 1 is not an object");
        refused("{\"runs\": [{\"mode\": \"SYNC\", \"threads\": 2}]}", "run 1 has no 'values_per_second'");
        refused("{\"runs\": [{\"mode\": \"SYNC\", \"threads\": \"many\", \"values_per_second\": 1}]}", "many");
        refused(
                "{\"runs\": [{\"mode\": [], \"threads\": 1, \"values_per_second\": 1}]}",
                "it has a value of another type (");
        refused("{\"runs\": [{\"mode\": \"SYNC\", \"threads\": 1, \"values_per_second\": NaN}]}", "it is not JSON;");
        refused(
                "{\"runs\": [{\"mode\": \"SYNC\", \"threads\": 1, \"values_per_second\": \"NaN\"}]}",
                "run 1 has no number");
        refused("{\"runs\": [], \"settings\": [3]}", "it has a value of another type (");
        refused("{\"runs\": [], \"not_offered\": [3]}", "it has a value of another type (");
        refused("{\"runs\": [], \"not_offered\": {}}", "it has a value of another type (");
        refused("{\"runs\": [", "it is not JSON;");
        refused("<html>\n</html>", "it is not JSON;");
    }

    private static void refused(String text, String fault) {
        assertThatThrownBy(() -> MeasurementsJson.read(text))
                .as(text)
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageStartingWith("not a report of bench: ")
                .hasMessageContaining(fault)
                .hasMessageEndingWith("; name a file that 'bench --json FILE' wrote")
                .hasMessageNotContaining("\n");
    }
}
