// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.conservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.conservation.TestProperties.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to the tests are either understood or rejected. */
class TestPropertiesTest {

    private static final Pattern OURS_IN_A_POM = Pattern.compile("<(seriatim\\.[a-z.]+)/?>");

    /** Parses {@code name=value}. */
    private static TestProperties given(String... properties) {
        return new TestProperties(Arrays.stream(properties)
                .map(property -> property.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1])));
    }

    @Test
    void what_is_asked_for_is_read() {
        TestProperties asked = given(
                "seriatim.schedules=1000000",
                "seriatim.schedule.first=-45000052",
                "seriatim.conservation.seconds=0.5",
                "seriatim.trials=soak");
        assertThat(asked.count(Property.SCHEDULES, 5)).isEqualTo(1_000_000);
        assertThat(asked.number(Property.SCHEDULE_FIRST, 5)).isEqualTo(-45_000_052);
        assertThat(asked.seconds(Property.CONSERVATION_SECONDS, 60)).isEqualTo(0.5);
        assertThat(asked.isSoak()).isTrue();
        assertThat(asked.has(Property.SCHEDULES)).isTrue();
    }

    @Test
    void where_nothing_is_asked_for_it_is_as_ever() {
        TestProperties asked = given("user.name=seriatim", "seriatim.build.folder=/tmp", "java.version=17");
        assertThat(asked.count(Property.SCHEDULES, 5)).isEqualTo(5);
        assertThat(asked.number(Property.SCHEDULE_FIRST, 5)).isEqualTo(5);
        assertThat(asked.seconds(Property.CONSERVATION_SECONDS, 60)).isEqualTo(60);
        assertThat(asked.named(Property.CONSERVATION_MODE, ConservationMode.class))
                .containsExactly(ConservationMode.values());
        assertThat(asked.isSoak()).isFalse();
        assertThat(asked.has(Property.SCHEDULES)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "1_000_000",
                "1,000",
                "10k",
                "0",
                "-1",
                "1.5",
                "",
                " 5",
                "+5",
                "٥",
                "0x10",
                "2147483648",
                "true"
            })
    void what_is_no_count_is_refused(String value) {
        assertThatThrownBy(() -> given("seriatim.schedules=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seriatim.schedules must be a whole number from 1 to 2147483647, digits only, not '" + value
                        + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"45,000,052", "3000001x", "", "+5", "٥", "9223372036854775808"})
    void what_is_no_seed_is_refused(String value) {
        assertThatThrownBy(() -> given("seriatim.schedule.seed=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seriatim.schedule.seed must be a 64-bit integer, digits only, not '" + value + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1h", "0", "0.0", "-1", "NaN", "Infinity", ""})
    void what_is_no_time_is_refused(String value) {
        assertThatThrownBy(() -> given("seriatim.conservation.seconds=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seriatim.conservation.seconds must be a number of seconds above 0, not '" + value + "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"GROUPED|GROUPED", "Grouped|GROUPED", "pooled, sync|SYNC,POOLED", "async_batch|ASYNC_BATCH"})
    void modes_are_named_in_any_case(String value, String modes) {
        List<ConservationMode> expected =
                Stream.of(modes.split(",", -1)).map(ConservationMode::valueOf).toList();
        assertThat(given("seriatim.conservation.mode=" + value)
                        .named(Property.CONSERVATION_MODE, ConservationMode.class))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GROUPD", "", "SYNC,", "SYNC GROUPED", "true"})
    void an_unknown_mode_is_refused_with_those_there_are(String value) {
        assertThatThrownBy(() -> given("seriatim.conservation.mode=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "seriatim.conservation.mode must be one or more of ASYNC, COMBINED, CONFIRMED, BATCH, ASYNC_BATCH, ADAPTIVE,"
                                + " SYNC, GROUPED, POOLED, separated by commas, not '" + value + "'");
    }

    @Test
    void names_that_only_the_reader_knows_are_refused_when_it_reads() {
        TestProperties asked = given("seriatim.trials.engines=groupd");
        assertThatThrownBy(() -> asked.named(Property.TRIALS_ENGINES, ConservationMode.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("seriatim.trials.engines must be one or more of ASYNC,")
                .hasMessageContaining("not 'groupd'");
    }

    @Test
    void a_scale_that_does_not_exist_is_refused() {
        assertThat(given("seriatim.trials=SOAK").isSoak()).isTrue();
        assertThat(given("seriatim.trials=build").isSoak()).isFalse();
        assertThatThrownBy(() -> given("seriatim.trials=soka"))
                .hasMessage("seriatim.trials must be build or soak, not 'soka'");
    }

    @Test
    void a_property_that_does_not_exist_is_refused_with_those_there_are() {
        assertThatThrownBy(() -> given("seriatim.conservation.round=5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "unknown property seriatim.conservation.round; known properties: seriatim.schedules, ")
                .hasMessageContaining(", seriatim.conservation.rounds, ");
    }

    @ParameterizedTest
    @CsvSource({
        "seriatim.schedule.seed, seriatim.schedules",
        "seriatim.schedule.seed, seriatim.schedule.first",
        "seriatim.conservation.rounds, seriatim.conservation.seconds",
        "seriatim.conservation.seed, seriatim.conservation.seconds"
    })
    void what_says_nothing_beside_another_is_refused(String stronger, String weaker) {
        assertThatThrownBy(() -> given(stronger + "=5", weaker + "=5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(weaker + " has no effect with " + stronger);
    }

    @Test
    void rounds_of_trials_are_for_a_soak() {
        assertThat(given("seriatim.trials=soak", "seriatim.trials.rounds=5").count(Property.TRIALS_ROUNDS, 3))
                .isEqualTo(5);
        assertThatThrownBy(() -> given("seriatim.trials.rounds=5"))
                .hasMessage("seriatim.trials.rounds has no effect without seriatim.trials=soak");
        assertThatThrownBy(() -> given("seriatim.trials=build", "seriatim.trials.rounds=5"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_the_build_reads_itself_is_not_taken_for_a_mistake() throws IOException {
        try (Stream<Path> files =
                Files.find(Path.of("..").toRealPath(), 3, (file, attributes) -> file.endsWith("pom.xml"))) {
            List<Path> poms = files.toList();
            Map<String, String> all = poms.stream()
                    .map(TestPropertiesTest::text)
                    .flatMap(pom -> OURS_IN_A_POM.matcher(pom).results().map(found -> found.group(1)))
                    .distinct()
                    .collect(Collectors.toMap(name -> name, name -> "any"));
            assertThat(all).containsKeys("seriatim.mutate", "seriatim.models.jdk");
            assertThat(new TestProperties(all).has(Property.SCHEDULES)).isFalse();
        }
    }

    private static String text(Path pom) {
        try {
            return Files.readString(pom);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
