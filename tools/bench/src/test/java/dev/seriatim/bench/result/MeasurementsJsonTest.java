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
    void a_file_that_lacks_a_property_is_refused() {
        String whole = MeasurementsJson.write(Samples.of("MariaDB 11.8.6", Samples.spanner()));
        refused(whole.replace("\"engine\"", "\"engines\""), "it has no 'engine';");
        refused(whole.replace("\"settings\"", "\"other\""), "it has no 'settings';");
        refused(whole.replace("\"label\"", "\"name\""), "run 1 has no 'label';");
        refused(whole.replace("\"rounds\"", "\"round\""), "run 1 has no 'rounds';");
        refused(whole.replace("\"gaps\"", "\"holes\""), "run 1 has no 'gaps';");
        refused(whole.replace("\"reason\"", "\"why\""), "a run not offered has no 'reason';");
        refused(
                whole.replaceFirst("\"values_per_second\": [^,]*", "\"values_per_second\": \"NaN\""),
                "run 1 has no number");
        refused(whole.replaceFirst("\"threads\": [^,]*", "\"threads\": \"many\""), "many");
        refused(whole.replaceFirst("\"mode\": [^,]*", "\"mode\": []"), "it has a value of another type (");
        refused(
                whole.replaceFirst("\"settings\": [{]", "\"settings\": [3], \"x\": {"),
                "it has a value of another type (");
        refused(
                whole.replaceFirst("\"not_offered\": \\[", "\"not_offered\": [3,"),
                "a run not offered is not an object;");
        refused(
                whole.replaceFirst("\"not_offered\": \\[", "\"not_offered\": {}, \"x\": ["),
                "it has a value of another type (");
    }

    @Test
    void a_file_that_is_none_of_ours_is_refused_with_its_fault_in_one_line() {
        refused("", "it is empty;");
        refused("notes", "it is not a JSON object;");
        refused("mode,threads\nSYNC,2\n", "it is not a JSON object;");
        refused("{'runs': []}", "it is not a JSON object;");
        refused("{\"runs\": []} and more", "it is not a JSON object;");
        refused("\"notes\"", "it is not a JSON object;");
        refused("null", "it is not a JSON object;");
        refused("[1, 2]", "it is not a JSON object;");
        refused("{}", "it has no list 'runs';");
        refused("{\"runs\": 3}", "no list 'runs'");
        refused("{\"runs\": [7]}", "run 1 is not an object");
        refused("{\"runs\": [{\"mode\": \"SYNC\", \"threads\": 2}]}", "run 1 has no 'scenario'");
        refused(
                "{\"runs\": [{\"mode\": \"SYNC\", \"threads\": 1, \"values_per_second\": NaN}]}",
                "it is not a JSON object;");
        refused("{\"runs\": [", "it is not a JSON object;");
        refused("<html>\n</html>", "it is not a JSON object;");
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
