// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.GroupedSequence;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.CommandLineRun;
import dev.seriatim.cli.draw.DrawMode;
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
        "500/s, 10ms, 50, 10, 10, 60",
        "500, 10ms, 50, 10, 10, 60",
        "1000/s, 100ms, 600, 200, 1.67, 800",
        "100000/s, 1ms, 10000, 200, 10, 10200",
        "1/s, 1ms, 1, 1, 1, 2",
        "0.5/s, 1ms, 1, 1, 0.5, 2",
        "333/s, 7ms, 34, 5, 9.79, 39",
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
        assertThat(advice.get("batch_size").getAsLong()).isEqualTo(60_000_000);
    }

    @ParameterizedTest
    @CsvSource({"50/s, ASYNC, 1", "51/s, COMBINED, 1", "500/s, COMBINED, 5"})
    void confirms_when_order_is_wanted_and_names_the_mode_of_stores_that_cannot(
            String rate, String otherwise, long callers) {
        JsonObject advice = json("advise --rate " + rate + " --latency 10ms --read-latency 1ms --guarantee ordered");
        assertThat(advice.get("mode").getAsString()).isEqualTo("CONFIRMED");
        assertThat(advice.get("alternative").getAsString()).startsWith(otherwise + " on a store that refuses");
        assertThat(advice.get("batch_size").isJsonNull()).isTrue();
        assertThat(advice.get("combined_callers_needed").getAsLong()).isEqualTo(callers);
        assertThat(advice.get("values_lost_in_crash").getAsLong()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @CsvSource({
        "50/s, 1ms, 10ms, 50, 50, 1",
        "1500/s, 1ms, 10ms, 1500, 1000, 2",
        "500/s, 10ms, 10ms, 500, 100, 5",
        "500/s, 10ms, 10000001ns, 500, 100, 5",
    })
    void combines_where_a_read_is_not_faster_than_a_reservation_and_says_so(
            String rate, String latency, String read, double values, double reservations, long lost) {
        String line =
                "advise --rate " + rate + " --latency " + latency + " --read-latency " + read + " --guarantee ordered";
        JsonObject advice = json(line);
        assertThat(advice.get("mode").getAsString()).isEqualTo("COMBINED");
        assertThat(advice.get("reason").getAsString()).contains("is not faster than a reservation");
        assertThat(advice.get("alternative").isJsonNull()).isTrue();
        assertThat(advice.get("values_per_second").getAsDouble()).isEqualTo(values);
        assertThat(advice.get("reservations_per_second").getAsDouble()).isEqualTo(reservations);
        assertThat(advice.get("values_lost_in_crash").getAsLong()).isEqualTo(lost);
    }

    @Test
    void confirms_as_soon_as_a_read_is_faster_than_a_reservation() {
        JsonObject advice = json("advise --rate 500/s --latency 10ms --read-latency 9999999ns --guarantee ordered");
        assertThat(advice.get("mode").getAsString()).isEqualTo("CONFIRMED");
    }

    @Test
    void confirms_where_the_time_of_a_read_is_unknown_but_promises_nothing_for_it() {
        JsonObject advice = json("advise --rate 500/s --latency 10ms --guarantee ordered");
        assertThat(advice.get("mode").getAsString()).isEqualTo("CONFIRMED");
        assertThat(advice.get("reason").getAsString()).contains("if a read takes 10 ms");
    }

    @Test
    void counts_callers_by_the_time_of_a_read_or_else_of_a_reservation() {
        JsonObject unknown = json("advise --rate 5000/s --latency 10ms --guarantee ordered");
        assertThat(unknown.get("read_latency_ms").getAsDouble()).isEqualTo(10);
        assertThat(unknown.get("confirmed_callers_needed").getAsLong()).isEqualTo(50);
        assertThat(unknown.get("combined_callers_needed").getAsLong()).isEqualTo(50);
        JsonObject known = json("advise --rate 5000/s --latency 10ms --read-latency 1ms --guarantee ordered");
        assertThat(known.get("read_latency_ms").getAsDouble()).isEqualTo(1);
        assertThat(known.get("confirmed_callers_needed").getAsLong()).isEqualTo(5);
        assertThat(known.get("values_per_second").getAsDouble()).isEqualTo(5000);
        assertThat(known.get("reservations_per_second").getAsDouble()).isEqualTo(0.5);
        JsonObject limits = known.getAsJsonObject("limit_per_second");
        assertThat(limits.get("COMBINED_per_waiting_caller").getAsDouble()).isEqualTo(100);
        assertThat(limits.get("CONFIRMED_per_waiting_caller").getAsDouble()).isEqualTo(1000);
        assertThat(unwrapped("advise --rate 5000/s --latency 10ms --read-latency 1ms --guarantee ordered"))
                .contains(
                        "mode CONFIRMED",
                        "when 5 callers wait at the same time, if a read takes 1 ms",
                        "or COMBINED on a store that refuses CONFIRMED",
                        "(50 at this rate); CONFIRMED 1000/s for each (5)");
    }

    @ParameterizedTest
    @CsvSource({"90/s, SYNC, 90, 90", "91/s, GROUPED, 91, 91", "101/s, GROUPED, 100, 101", "13000/s, POOLED, 10, 13000"
    })
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
        assertThat(limit.perSecond(GroupedSequence.MOST_UNITS, StoreTimes.of(0.010 - seconds), seconds))
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
                        "low-water mark   10\n",
                        "SYNC and ASYNC 100/s",
                        "at most 60 values per instance, if its reservations do not queue");
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
        "advise --rate 0 --latency 10ms, '0'' is not a rate above 0 and below 1e9/s'",
        "advise --rate -5 --latency 10ms, 'is not a rate above 0 and below 1e9/s; write it as 4000/s'",
        "advise --rate fast --latency 10ms, '''fast'' is not a rate'",
        "advise --rate 500/m --latency 10ms, '4000/s'",
        "advise --rate 99999999999 --latency 10ms, --rate",
        "advise --rate 5 --latency 10, 'is not a duration of up to 1h; write it as 10ms'",
        "advise --rate 5 --latency 1ms --read-latency 1, 'is not a duration of up to 1h'",
        "advise --rate 5 --latency 1ms --read-latency 0ms, '--read-latency must be above 0'",
        "advise --rate 5 --latency 0ms, '--latency and --read-latency must be above 0'",
        "advise --rate 5 --latency 999h, of up to 1h",
        "advise --rate 5 --latency 1ms --guarantee none, 'unique, ordered, gapless'",
    })
    void refuses_a_wrong_command_line(String line, String message) {
        line(line).refusedWith(message);
    }
}
