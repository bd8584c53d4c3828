// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.InMemoryStore;
import dev.seriatim.SequenceDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Epochs in memory, where a sequence can cycle more often than a clock ticks. */
class InMemoryEpochTest {

    @Test
    void a_sequence_that_is_made_anew_is_of_a_later_epoch_than_the_one_that_was_dropped() {
        InMemoryStore store = new InMemoryStore(Duration.ZERO, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        store.create(SequenceDefinition.named("s").maxValue(1L).cycle(true).build());
        for (int i = 0; i < 3; i++) {
            store.reserve("s", 1);
        }
        long dropped = store.describe("s").epoch();
        store.drop("s");
        store.create(SequenceDefinition.of("s"));
        assertThat(store.describe("s").epoch()).isGreaterThan(dropped);
    }
}
