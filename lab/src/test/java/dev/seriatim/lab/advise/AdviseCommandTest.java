// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.GroupedSequence;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.lab.model.ModeProfile;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviseCommandTest {

    private static CommandLineRun line(String words) {
        return CommandLineRun.of(Map.of(), words.split(" ", -1));
    }

    private static JsonObject json(String words) {
        return JsonParser.parseString(line(words + " --format json").succeeded())
                .getAsJsonObject();
    }

    @ParameterizedTest
    @CsvSource({
        "500/s, 10ms, 50, 15, 10, 65",
        "500, 10ms, 50, 15, 10, 65",
        "1000/s, 100ms, 400, 300, 2.5, 700",
        "100000/s, 1ms, 10000, 300, 10, 10300",
        "1/s, 1ms, 1, 1, 1, 2",
        "0.5/s, 1ms, 1, 1, 0.5, 2",
        "333/s, 7ms, 34, 7, 9.79, 41",
    })
    void sizes_blocks_by_rate_and_latency(
            String rate, String latency, long size, long mark, double reservations, long lost) {
        JsonObject advice = json("advise --rate " + rate + " --latency " + latency);
        assertThat(advice.get("mode").getAsString()).isEqualTo("ADAPTIVE");
        assertThat(advice.get("batch_size").getAsLong()).isEqualTo(size);
        assertThat(advice.get("low_water_mark").getAsLong()).isEqualTo(mark);
        assertThat(advice.get("reservations_per_second").getAsDouble()).isEqualTo(reservations);
        assertThat(advice.get("values_lost_in_crash").getAsLong()).isEqualTo(lost);
    }

    @Test
    void names_a_fixed_size_where_adaptive_blocks_end() {
        JsonObject advice = json("advise --rate 100000000/s --latency 100ms");
        assertThat(advice.get("mode").getAsString()).isEqualTo("ASYNC_BATCH");
        assertThat(advice.get("batch_size").getAsLong()).isEqualTo(40_000_000);
    }

    @ParameterizedTest
    @CsvSource({"50/s, ASYNC, 50, 1", "51/s, COMBINED, 51, 1", "500/s, COMBINED, 100, 5"})
    void shares_reservations_when_order_is_wanted_and_the_row_is_busy(
            String rate, String mode, double reservations, long callers) {
        JsonObject advice = json("advise --rate " + rate + " --latency 10ms --guarantee ordered");
        assertThat(advice.get("mode").getAsString()).isEqualTo(mode);
        assertThat(advice.get("batch_size").isJsonNull()).isTrue();
        assertThat(advice.get("reservations_per_second").getAsDouble()).isEqualTo(reservations);
        assertThat(advice.get("combined_callers_needed").getAsLong()).isEqualTo(callers);
    }

    @ParameterizedTest
    @CsvSource({"100/s, SYNC, 100, 100", "101/s, GROUPED, 100, 101", "13000/s, POOLED, 10, 13000"})
    void names_the_mode_that_draws_gapless_numbers_at_that_rate(
            String rate, String mode, double reservations, double values) {
        JsonObject advice = json("advise --rate " + rate + " --latency 10ms --guarantee gapless");
        assertThat(advice.get("mode").getAsString()).isEqualTo(mode);
        assertThat(advice.get("values_per_second").getAsDouble()).isEqualTo(values);
        assertThat(advice.get("reservations_per_second").getAsDouble()).isEqualTo(reservations);
        assertThat(advice.get("values_lost_in_crash").getAsLong()).isZero();
    }

    @Test
    void names_pooled_beside_a_mode_whose_transactions_run_one_after_another() {
        assertThat(json("advise --rate 50/s --latency 10ms --guarantee gapless").get("alternative"))
                .isEqualTo(JsonNull.INSTANCE);
        assertThat(json("advise --rate 51/s --latency 10ms --guarantee gapless")
                        .get("alternative")
                        .getAsString())
                .startsWith("POOLED, if transactions wait too long")
                .contains("not in commit order");
        assertThat(json("advise --rate 101/s --latency 10ms --guarantee gapless")
                        .get("alternative")
                        .getAsString())
                .startsWith("POOLED, if they work longer")
                .contains("2 open at the same time", "not in commit order");
        assertThat(json("advise --rate 13000/s --latency 10ms --guarantee gapless")
                        .get("alternative")
                        .getAsString())
                .startsWith("GROUPED, for numbers in commit order: it reaches 12800/s");
    }

    @Test
    void grouped_reaches_the_rate_with_the_work_that_the_advice_allows() {
        JsonObject advice = json("advise --rate 500/s --latency 10ms --guarantee gapless");
        Matcher work = Pattern.compile("works at most ([0-9.]+) ms")
                .matcher(advice.get("reason").getAsString());
        assertThat(work.find()).isTrue();
        double seconds = Double.parseDouble(work.group(1)) / 1000;
        ModeProfile.Limit limit = ModeProfile.of(DrawMode.GROUPED).limit();
        assertThat(limit.perSecond(GroupedSequence.MOST_UNITS, 0.010 - seconds, seconds))
                .isCloseTo(500, Percentage.withPercentage(1));
    }

    @Test
    void prints_lines_that_fit_a_terminal() {
        for (String guarantee : List.of("unique", "ordered", "gapless")) {
            for (String rate : List.of("51/s", "500/s", "50000/s", "100000000/s")) {
                assertThat(line("advise --rate " + rate + " --latency 10ms --guarantee " + guarantee)
                                .succeeded()
                                .lines())
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
            }
        }
        assertThat(line("advise --help").succeeded().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void explains_itself_to_people() {
        assertThat(line("advise --rate 500/s --latency 10ms").succeeded())
                .contains(
                        "ADAPTIVE",
                        "block size       50\n",
                        "low-water mark   15\n",
                        "SYNC and ASYNC 100/s",
                        "at most 65 values");
        assertThat(unwrapped("advise --rate 500/s --latency 10ms"))
                .contains("GROUPED, POOLED and COMBINED 100/s for each concurrent caller (5 at this rate)");
        assertThat(unwrapped("advise --rate 500/s --latency 10ms --guarantee gapless"))
                .contains("mode GROUPED", "when 5 callers wait at the same time", "or POOLED, if they work longer");
        assertThat(unwrapped("advise --rate 50000/s --latency 10ms --guarantee gapless"))
                .contains("mode POOLED", "with 500 open at the same time", "at least 500 values in each transaction");
    }

    private static String unwrapped(String words) {
        return line(words).succeeded().replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @CsvSource({
        "advise, --rate",
        "advise --rate 500/s, --latency",
        "advise --rate 0 --latency 10ms, '--rate must be above 0'",
        "advise --rate -5 --latency 10ms, '--rate takes values per second, such as 500/s, not '",
        "advise --rate fast --latency 10ms, not 'fast'",
        "advise --rate 500/m --latency 10ms, '500/s'",
        "advise --rate 99999999999 --latency 10ms, --rate",
        "advise --rate 5 --latency 10, '--latency takes a whole number and a unit, such as 10ms'",
        "advise --rate 5 --latency 0ms, '--latency must be above 0'",
        "advise --rate 5 --latency 999h, at most 1h",
        "advise --rate 5 --latency 1ms --guarantee none, 'unique, ordered, gapless'",
    })
    void refuses_a_wrong_command_line(String line, String message) {
        line(line).refusedWith(message);
    }
}
