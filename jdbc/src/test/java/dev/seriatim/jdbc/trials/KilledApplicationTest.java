// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.jdbc.trials.ApplicationKills.Weakening;
import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.H2Files;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code kill -9} of processes that draw in every mode. */
@Timeout(3600)
@Tag("long")
@Order(1)
class KilledApplicationTest {

    private static final int CONTROL_KILLS = 10;

    @ParameterizedTest
    @MethodSource("dev.seriatim.jdbc.trials.Scale#engines")
    void its_successor_repeats_nothing_and_leaves_no_gap_where_that_is_promised(Engine engine) throws Exception {
        int kills = Scale.chosen().killedApplications();
        // H2's in-memory data disappears with the process, as intended.
        List<Database> nodes =
                engine == Engine.H2 ? List.of(H2Files.freshDatabase()) : engine.freshDatabaseOnEachNode();
        try (EngineTrial trial = EngineTrial.on(nodes)) {
            assertThat(new ApplicationKills(trial, Weakening.NONE).findings(kills))
                    .isEmpty();
            Scale.chosen().tell("application killed " + kills + " times on " + trial);
        }
    }

    @Test
    void the_trial_finds_what_h2_loses_with_its_own_write_delay() throws Exception {
        Scale.assume(Engine.H2);
        try (EngineTrial trial = EngineTrial.onWeak(H2Files.freshDatabase())) {
            // The store sets it to 0 on opening.
            Weakening asItComes = process -> process.execute("SET WRITE_DELAY 500");
            assertThat(new ApplicationKills(trial, asItComes).findings(CONTROL_KILLS))
                    .as("that nothing was found, although commits are written half a second later")
                    .isNotEmpty();
        }
    }
}
