// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException;
import dev.seriatim.memory.InMemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreUrlTest {

    @Test
    void takes_a_url_apart() {
        StoreUrl url = StoreUrl.parse("sqlite:some/file.db?table=t&busy-timeout=2s");
        assertThat(url.scheme()).isEqualTo("sqlite");
        assertThat(url.place()).isEqualTo("some/file.db");
        assertThat(url.option("table")).contains("t");
        assertThat(url.duration("busy-timeout")).contains(Duration.ofSeconds(2));
    }

    @Test
    void shows_no_secret() {
        String shown = StoreUrl.redact("jdbc:x://joe:pw@host/db?password=s3cret&sslPassword=abc&user=joe&apiToken=t");
        assertThat(shown).doesNotContain("s3cret", "abc", "pw@", "=t").contains("host/db", "password=***");
    }

    @Test
    void opens_a_store_by_its_driver_and_names_the_known_ones_otherwise() {
        try (OpenStore store = StoreDriver.open("memory:?latency=3ms")) {
            assertThat(store).isInstanceOf(InMemoryStore.class).hasToString("memory with 3.0 ms per reservation");
        }
        assertThatThrownBy(() -> StoreDriver.open("foo:bar"))
                .isInstanceOf(SequenceException.Misconfigured.class)
                .hasMessageContainingAll("foo:bar", "couchbase:, couchbases:, memory:, spanner:");
        assertThatThrownBy(() -> StoreDriver.open("memory:?latency=soon")).hasMessageContaining("soon");
        assertThatThrownBy(() -> StoreDriver.open("memory:?colour=red")).hasMessageContainingAll("colour", "latency");
        assertThatThrownBy(() -> StoreDriver.open("memory")).isInstanceOf(SequenceException.Misconfigured.class);
    }
}
