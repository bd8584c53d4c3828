// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.seriatim.SequenceException.Misconfigured;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class AllocationTest {

    @Test
    void every_mode_has_a_name() {
        for (Class<?> mode : Allocation.class.getPermittedSubclasses()) {
            String name =
                    mode.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
            assertThat(Allocation.named(name)).isInstanceOf(mode);
        }
    }

    @Test
    void an_unknown_name_is_refused_with_the_known_ones() {
        for (String name : Arrays.asList("", "adaptive", "SYNC", "FAST\nER")) {
            assertThatThrownBy(() -> Allocation.named(name))
                    .isInstanceOf(Misconfigured.class)
                    .hasMessageContaining("ASYNC_BATCH and ADAPTIVE")
                    .hasMessageNotContaining("\n");
        }
    }
}
