// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.java.json.JsonObject;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.store.SequenceState;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequenceDocumentTest {

    private static final long[] ENDS = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L << 53, -3, -1, 0, 1, 2, 1L << 53, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private static SequenceDocument throughText(SequenceDocument document) {
        return SequenceDocument.read(
                new DocumentContent(document.content().bytes()).object().orElseThrow());
    }

    @Test
    void keeps_every_state_through_its_text() {
        for (SequenceState state : states(2000)) {
            SequenceDocument document = SequenceDocument.of(state);
            assertThat(throughText(document)).isEqualTo(document);
            assertThat(throughText(document).state()).isEqualTo(state);
        }
    }

    @Test
    void counts_as_the_arithmetic_of_the_core_does() {
        Random random = new Random(5);
        for (SequenceState state : states(2000)) {
            SequenceDocument document = SequenceDocument.of(state);
            SequenceState expected = state;
            long dealt = document.dealt();
            for (int i = 0; i < 5; i++) {
                assertThat(document.at(dealt)).isEqualTo(expected);
                long count = 1 + random.nextLong(OwnDocuments.MOST_AT_ONCE);
                dealt += count;
                if (!expected.usedUp()) {
                    expected = expected.take(count).after();
                }
            }
        }
    }

    @Test
    void gives_every_writing_a_stamp_of_its_own() {
        SequenceState state = SequenceState.fresh(SequenceDefinition.of("s"), 1);
        assertThat(SequenceDocument.of(state).stamp())
                .isPresent()
                .isNotEqualTo(SequenceDocument.of(state).stamp());
    }

    @ParameterizedTest
    @CsvSource({
        "dealt, 1.5",
        "dealt, -1",
        "dealt, 18446744073709551615",
        "dealt, \"7\"",
        "dealt, null",
        "max, 7",
        "max, \"many\"",
        "first, \"0\"",
        "increment, \"0\"",
        "guard, []",
        "name, 5"
    })
    void refuses_what_somebody_has_spoiled(String member, String value) {
        JsonObject spoiled = SequenceDocument.of(SequenceState.fresh(SequenceDefinition.of("s"), 1))
                .content()
                .object()
                .orElseThrow()
                .put(member, JsonObject.fromJson("{\"v\":" + value + "}").get("v"));
        assertThatThrownBy(() -> SequenceDocument.read(spoiled)).isInstanceOf(Misconfigured.class);
    }

    private static List<SequenceState> states(int many) {
        Random random = new Random(4);
        return random.longs(many).mapToObj(seed -> state(new Random(seed))).toList();
    }

    /** Returns any reachable state: a used-up sequence is at its last value. */
    private static SequenceState state(Random random) {
        long one = number(random);
        long other = number(random);
        long start = number(random);
        long min = Math.min(one, Math.min(other, start));
        long max = Math.max(one, Math.max(other, start));
        long increment = number(random);
        SequenceDefinition definition = new SequenceDefinition(
                "s", start, increment == 0 ? 1 : increment, min, max, random.nextBoolean(), 1 + random.nextInt(9));
        SequenceState fresh = SequenceState.fresh(definition, random.nextLong(1000));
        return random.nextBoolean()
                ? fresh.take(1 + random.nextLong(Long.MAX_VALUE)).after()
                : fresh;
    }

    private static long number(Random random) {
        return random.nextBoolean() ? ENDS[random.nextInt(ENDS.length)] : random.nextLong();
    }
}
