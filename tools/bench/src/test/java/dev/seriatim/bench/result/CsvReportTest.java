// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReportTest {

    @Test
    void headings_are_the_keys_of_json() {
        Measurements one = Samples.of(Samples.spanner().get(0));
        List<String> keys = new ArrayList<>(JsonParser.parseString(MeasurementsJson.write(one))
                .getAsJsonObject()
                .getAsJsonArray("runs")
                .get(0)
                .getAsJsonObject()
                .keySet());
        keys.remove("published");
        List<String> headings = List.of(lines(one)[0].split(",", -1));
        assertThat(headings).startsWith(keys.toArray(String[]::new));
        assertThat(headings.subList(keys.size(), headings.size()))
                .startsWith("published_system", "published_name", "published_values_per_second")
                .contains("published_p50_ms", "published_total_ms")
                .hasSize(10);
    }

    @Test
    void there_is_a_line_for_each_run_with_a_cell_for_each_heading() {
        String[] lines = lines(Samples.of("an engine", Samples.mariadb(8)));
        assertThat(lines).hasSize(1 + 176);
        assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSameSizeAs(lines[0].split(",", -1)));
        assertThat(lines[1]).startsWith("mariadb,row by row,EMULATED,EMULATED,1,1,2000,,,0.0,,,1,424");
        assertThat(lines[1]).contains(",elsewhere,emulated sequence,303.0,");
        assertThat(lines[2]).endsWith(",,,,,,,,,,");
    }

    @Test
    void commas_quotes_and_line_ends_are_quoted() {
        String csv = CsvReport.of(Samples.of(
                SampleRun.of("a,b", "10\" rows", "SYNC").label("two\nlines").made()));
        assertThat(csv)
                .contains("\r\n\"a,b\",\"10\"\" rows\",SYNC,\"two\nlines\",1,")
                .endsWith("\r\n");
    }

    private static String[] lines(Measurements measurements) {
        return CsvReport.of(measurements).stripTrailing().split("\r\n", -1);
    }
}
