// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two processes with many threads each, one on every node of a cluster, in every mode. */
@Timeout(1200)
@Tag("long")
class TwoProcessesTest {

    private static final int PROCESSES = 2;
    private static final int THREADS = 16;

    @ParameterizedTest
    @MethodSource("dev.seriatim.jdbc.trials.Scale#engines")
    void draw_every_value_once_and_keep_what_each_mode_promises(Engine engine) throws Exception {
        if (engine == Engine.H2) {
            // A database in memory, or in a file, can be open in only one process at a time.
            try (Server server = Server.h2()) {
                draw(List.of(server.freshDatabase()));
            }
        } else {
            draw(engine.freshDatabaseOnEachNode());
        }
    }

    private static void draw(List<Database> nodes) throws Exception {
        int turns = Scale.chosen().draws();
        try (EngineTrial trial = EngineTrial.on(nodes)) {
            List<DrawingProcess> processes = trial.start(PROCESSES);
            for (TrialMode mode : trial.modes()) {
                for (DrawingProcess process : processes) {
                    process.draw(mode, THREADS, turns);
                }
                for (DrawingProcess process : processes) {
                    process.awaitDone(mode);
                }
                assertThat(trial.harvest(mode).reasons()).as("%s", mode).isEmpty();
                assertThat(trial.harvest(mode).count())
                        .as("%s", mode)
                        .isEqualTo((long) processes.size() * THREADS * turns);
            }
            assertThat(trial.findings()).isEmpty();
            Scale.chosen().tell(processes.size() + " processes of " + THREADS + " threads on " + trial);
        }
    }
}
