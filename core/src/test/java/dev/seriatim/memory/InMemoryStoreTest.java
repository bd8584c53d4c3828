// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.SequenceDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class InMemoryStoreTest {

    @Test
    void a_sequence_created_anew_is_newer_than_the_one_dropped_however_little_time_has_passed() {
        var store = new InMemoryStore(
                Duration.ZERO, Duration.ZERO, Clock.fixed(Instant.ofEpochMilli(1_000), ZoneOffset.UTC));
        store.create(SequenceDefinition.of("s"));
        store.restart("s", 50);
        long dropped = store.restart("s", 60).epoch();
        store.drop("s");
        store.create(SequenceDefinition.of("s"));
        assertThat(store.describe("s").epoch()).isGreaterThan(dropped);
    }
}
