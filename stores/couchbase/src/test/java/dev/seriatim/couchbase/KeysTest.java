// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.couchbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeysTest {

    private static final String LONG = "𝒳".repeat(64);

    private final Keys own = Keys.of(CouchbaseOptions.sequences());
    private final Keys counters = Keys.of(CouchbaseOptions.counters());

    @Test
    void a_key_is_the_prefix_and_the_name() {
        assertThat(own.of("orders")).isEqualTo("seriatim:orders");
        assertThat(counters.of("orders")).isEqualTo("orders");
    }

    @Test
    void a_name_that_is_too_long_for_a_key_goes_by_its_digest() {
        String other = "𝒴" + "𝒳".repeat(63);
        assertThat(own.of(LONG)).startsWith("seriatim:#").hasSize("seriatim:#".length() + 64);
        assertThat(own.of(other)).isNotEqualTo(own.of(LONG));
    }

    @Test
    void no_name_has_the_key_of_the_list_or_of_another_name() {
        assertThat(own.of("#names")).isNotEqualTo(own.index());
        assertThat(own.of(own.of(LONG).substring("seriatim:".length(), "seriatim:".length() + 64)))
                .isNotEqualTo(own.of(LONG));
        assertThatThrownBy(() -> counters.of("#names"))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("choose another name");
    }

    @Test
    void a_bare_counter_whose_name_is_too_long_is_refused_since_others_go_by_it() {
        assertThatThrownBy(() -> counters.of(LONG))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("256 bytes")
                .hasMessageContaining("246");
    }

    @Test
    void every_key_fits_with_the_longest_prefix() {
        Keys longest = Keys.of(CouchbaseOptions.sequences().withPrefix("p".repeat(100)));
        assertThat(longest.of("ä".repeat(64)).getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(246);
        assertThat(longest.of(LONG).getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(246);
        assertThatThrownBy(() -> CouchbaseOptions.sequences().withPrefix("p".repeat(101)))
                .isInstanceOf(Misconfigured.class)
                .hasMessageContaining("101 bytes");
    }

    @Test
    void half_a_character_is_refused() {
        assertThatThrownBy(() -> own.of("a\ud800")).isInstanceOf(Misconfigured.class);
    }
}
