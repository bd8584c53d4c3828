// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Kills one process after the other while it draws in every mode: what one has acknowledged, the next must not repeat.
 *
 * @param weakening what happens to the database while it draws, before each kill
 */
record ApplicationKills(Trial trial, Weakening weakening) {

    static final int DRAWS = 20;

    /** What makes a database lose commits; for showing that the trial would find it. */
    @FunctionalInterface
    interface Weakening {
        Weakening NONE = process -> {};

        void apply(DrawingProcess process) throws Exception;
    }

    /** So many kills, or fewer if something was found: what was. */
    List<String> findings(int kills) throws Exception {
        List<String> findings = List.of();
        // After the last kill another one draws.
        for (int round = 0; round <= kills && findings.isEmpty(); round++) {
            DrawingProcess process = trial.startNext();
            trial.drawOn(process);
            trial.awaitMore(DRAWS);
            // Not before all connections are open: the store sees to it on each.
            weakening.apply(process);
            trial.awaitMore(DRAWS);
            Thread.sleep(ThreadLocalRandom.current().nextInt(50));
            process.kill();
            findings = trial.findings();
        }
        return findings;
    }
}
