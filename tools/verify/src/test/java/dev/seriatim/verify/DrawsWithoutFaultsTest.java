// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.servers.Database;
import dev.seriatim.servers.Engine;
import dev.seriatim.servers.Server;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command on every engine of {@link VerifyOnEnginesTest}, without faults: then no draw fails. */
@Isolated("a draw fails if it has no turn within its patience")
@Timeout(7200)
@Tag("long")
class DrawsWithoutFaultsTest {

    private static final int NUMBERS = 2 * VerifyOnEnginesTest.NUMBERS;

    @ParameterizedTest
    @MethodSource("dev.seriatim.verify.VerifyOnEnginesTest#engines")
    void many_threads_of_two_processes_draw_and_not_one_draw_fails(Engine engine) {
        if (engine == Engine.H2) {
            // A database in memory, or in a file, can be open in only one process at a time.
            try (Server server = Server.h2()) {
                noOrderedDrawFails(List.of(server.freshDatabase())); // it is refused in gapless modes
            }
        } else {
            noDrawFails(engine.freshDatabaseOnEachNode());
        }
    }

    private static void noDrawFails(List<Database> nodes) {
        if (nodes.size() == 1) {
            // Apart, since those that take the processor leave others without a turn for longer than a draw waits.
            noDrawFails(nodes, "SYNC,GROUPED,POOLED", "gapless=" + NUMBERS);
            noOrderedDrawFails(nodes);
        } else {
            // All modes at once are more than a cluster on one machine certifies within a draw's patience.
            for (String mode : List.of("SYNC", "GROUPED", "ASYNC", "COMBINED", "CONFIRMED", "BATCH", "ADAPTIVE")) {
                noDrawFails(nodes, mode, VerifyOnEnginesTest.numbers(NUMBERS));
            }
        }
    }

    private static void noOrderedDrawFails(List<Database> nodes) {
        // Without a goal of numbers from memory, which would be drawn as fast as possible.
        noDrawFails(nodes, "ASYNC,COMBINED,CONFIRMED,BATCH,ASYNC_BATCH,ADAPTIVE", "ordered=" + NUMBERS);
    }

    private static void noDrawFails(List<Database> nodes, String modes, String until) {
        VerifyRun run = VerifyOnEnginesTest.passes(
                nodes, until, "--modes", modes, "--no-faults", "--no-controls", "--threads", "8");
        assertThat(run.objects("modes"))
                .as(run.summary())
                .allSatisfy(mode -> assertThat(mode.get("failed").getAsLong()).isZero());
    }
}
