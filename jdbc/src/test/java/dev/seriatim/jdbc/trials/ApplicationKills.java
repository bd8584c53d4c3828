// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Kills one process after another while it draws in every mode: no process may repeat what an earlier one has
 * acknowledged.
 *
 * @param weakening what happens to the database while it draws, before each kill
 */
record ApplicationKills(EngineTrial trial, Weakening weakening) {

    static final int DRAWS = 20;

    /** Makes a database lose commits, to show that the trial would detect it. */
    @FunctionalInterface
    interface Weakening {
        Weakening NONE = process -> {};

        void apply(DrawingProcess process) throws Exception;
    }

    /** Kills up to {@code kills} processes, and returns what was found; stops at the first finding. */
    List<String> findings(int kills) throws Exception {
        List<String> findings = List.of();
        // After the last kill, another process draws.
        for (int round = 0; round <= kills && findings.isEmpty(); round++) {
            DrawingProcess process = trial.startNext();
            trial.drawOn(process);
            trial.awaitMore(DRAWS);
            // Only once all connections are open: the store configures each.
            weakening.apply(process);
            trial.awaitMore(DRAWS);
            Thread.sleep(ThreadLocalRandom.current().nextInt(50));
            process.kill();
            findings = trial.findings();
        }
        return findings;
    }
}
