// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.conservation.ConservationMode;
import dev.seriatim.conservation.ConservationRounds;
import dev.seriatim.memory.MemoryGround;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No number goes missing or is accounted for twice, whatever fails: random rounds of every mode over an in-memory
 * store. See {@link ConservationRounds} for how to play more of them; a failure prints how to play its round again.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConservationTest {

    /** Fraction of the total time; the rest is for rounds over databases. */
    private static final double SHARE = 2.0 / 3;

    static Stream<ConservationMode> modes() {
        return ConservationRounds.modes();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void every_number_is_accounted_for(ConservationMode mode) throws Exception {
        assertThat(ConservationRounds.faults(
                        mode,
                        "memory",
                        SHARE / modes().count(),
                        "./mvnw -pl core test -Dtest=ConservationTest",
                        (lane, chance) -> new MemoryGround()))
                .isEmpty();
    }
}
