// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.seriatim.cli.CommandLineRun;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is advised for many instances carries their load, by its own simulation. */
class AdvisedLoadTest {

    private static final String[] RATES = {"0.2", "75", "30000"};
    private static final String[] LATENCIES = {"500us", "20ms", "100ms"};
    private static final int[] INSTANCES = {1, 40, 400};

    private static JsonObject json(String words) {
        return JsonParser.parseString(CommandLineRun.of(Map.of(), ("advise " + words + " --format json").split(" ", -1))
                        .succeeded())
                .getAsJsonObject();
    }

    @ParameterizedTest
    @EnumSource
    void what_is_advised_carries_the_load_or_says_that_nothing_does(Guarantee guarantee) {
        Map<String, Integer> modes = new TreeMap<>();
        for (String rate : RATES) {
            for (String latency : LATENCIES) {
                for (int instances : INSTANCES) {
                    String load = "--rate " + rate + "/s --latency " + latency + " --instances " + instances;
                    String mode = advisedAndSimulated(load + " --guarantee " + guarantee);
                    modes.merge(mode, 1, Integer::sum);
                }
            }
        }
        assertThat(modes.keySet())
                .contains(
                        switch (guarantee) {
                            case UNIQUE -> new String[] {"ADAPTIVE", "ASYNC_BATCH"};
                            case ORDERED -> new String[] {"CONFIRMED", "COMBINED", "nothing"};
                            case GAPLESS -> new String[] {"SYNC", "GROUPED", "POOLED"};
                        });
    }

    /** Returns the mode that carries the load; POOLED is not simulated. */
    private static String advisedAndSimulated(String words) {
        JsonObject advice = json(words);
        String mode = advice.get("mode").getAsString();
        if (mode.equals("POOLED")) {
            return mode;
        }
        // The usual duration lets all instances reserve their first blocks, one after another.
        String keys = words.endsWith("unique") ? "" : " duration=20s";
        JsonObject simulated = json(words + " --simulate" + keys).getAsJsonObject("simulation");
        assertThat(simulated.getAsJsonObject("plan").get("mode").getAsString()).isEqualTo(mode);
        JsonObject result = simulated.getAsJsonObject("result");
        if (advice.get("alternative").toString().contains("no mode carries this")) {
            assertThat(result.get("impatient").getAsDouble()).as(words).isGreaterThan(0.01);
            return "nothing";
        }
        double seconds = simulated.getAsJsonObject("plan").get("counted").getAsDouble();
        double wanted = advice.get("values_per_second").getAsDouble() * seconds;
        double drawn = result.get("values_per_second").getAsDouble() * seconds;
        // Random arrivals deviate; those that wait at the end are not lost.
        assertThat(drawn).as(words).isGreaterThan(wanted * 0.98 - 5 * Math.sqrt(wanted) - 1);
        assertThat(result.get("impatient").getAsDouble()).as(words).isLessThan(0.01);
        return mode;
    }

    @ParameterizedTest
    @CsvSource({"11.25, SYNC", "1440, GROUPED"})
    void no_mode_is_advised_above_the_load_that_it_carries(double most, String mode) {
        String words = "/s --latency 2ms --instances 40 --guarantee gapless";
        assertThat(json("--rate " + most + words).get("mode").getAsString()).isEqualTo(mode);
        assertThat(json("--rate " + most * 1.01 + words).get("mode").getAsString())
                .isNotEqualTo(mode);
    }

    @Test
    void forty_instances_are_not_advised_a_commit_for_each_number() {
        JsonObject advice = json("--rate 75/s --latency 2ms --guarantee ordered --instances 40 --simulate");
        assertThat(advice.get("mode").getAsString()).isEqualTo("COMBINED");
        assertThat(advice.get("alternative").isJsonNull()).isTrue();
        JsonObject result = advice.getAsJsonObject("simulation").getAsJsonObject("result");
        assertThat(result.get("values_per_second").getAsDouble()).isBetween(2900.0, 3100.0);
    }

    @ParameterizedTest
    @CsvSource({"2, 3/s", "2, 30/s", "7, 3/s", "7, 30/s", "40, 3/s"})
    void a_draw_takes_no_longer_than_the_advice_says(int instances, String rate) {
        JsonObject advice =
                json("--guarantee ordered --latency 25ms --simulate --instances " + instances + " --rate " + rate);
        String said = advice.get("reason").getAsString().replaceFirst("(?s).*for up to ([0-9.]+) ms.*", "$1");
        JsonObject result = advice.getAsJsonObject("simulation").getAsJsonObject("result");
        assertThat(result.get("p99_nanos").getAsDouble() / 1e6).isLessThan(Double.parseDouble(said));
    }

    @Test
    void a_round_trip_between_regions_is_part_of_a_transaction_that_draws() {
        String words = "--rate 20/s --latency 10ms --guarantee gapless --instances 3";
        assertThat(json(words).get("mode").getAsString()).isEqualTo("SYNC");
        assertThat(json(words + " --simulate regions=3,rtt=80ms").get("mode").getAsString())
                .isEqualTo("GROUPED");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5 --latency 1ms --instances 0 | --instances must be from 1 to 100000, not 0",
                "--rate 5 --latency 1ms --simulate instances=40 | beside --instances, are regions",
                "--rate 5 --latency 1ms --simulate threads=5 | threads= replaces --rate; leave one out",
                "--rate 5 --latency 1ms --guarantee gapless --simulate work=5ms | add threads=",
                "--instances 2 --against x | --against takes its settings from the file",
            })
    void what_contradicts_itself_is_refused(String words, String message) {
        CommandLineRun.of(Map.of(), ("advise " + words).split(" ", -1)).refusedWith(message);
    }
}
