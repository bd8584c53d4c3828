// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** What is missing is skipped, unless it is required. */
class AvailabilityTest {
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final Availability availability =
            new Availability(Set.of("elsewhere"), new PrintStream(told, true, StandardCharsets.UTF_8));

    @Test
    void what_is_missing_is_skipped_and_told_once() {
        assertThatThrownBy(() -> availability.refuse("Nowhere", "it is a test"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("Nowhere");
        assertThatThrownBy(() -> availability.refuse("Nowhere", "it is a test"))
                .isInstanceOf(TestAbortedException.class);

        assertThat(told.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("skipped: Nowhere, since it is a test");
    }

    @Test
    void what_is_missing_but_required_fails() {
        assertThatThrownBy(() -> availability.refuse("Elsewhere", "it is a test"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("SERIATIM_TEST_REQUIRE");
    }

    @Test
    void the_required_are_a_list_with_commas() {
        assertThat(Availability.required("mariadb, Galera")).contains("mariadb", "galera");
        assertThat(Availability.required(null)).doesNotContain("mariadb");
    }
}
