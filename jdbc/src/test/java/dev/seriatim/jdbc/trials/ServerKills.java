// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.jdbc.trials.ApplicationKills.Weakening;
import dev.seriatim.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Kills a server while processes draw in every mode, and restarts it: the processes must recover automatically, and
 * repeat nothing.
 */
record ServerKills(EngineTrial trial, Server server, Weakening weakening) {

    /** The result: the problems found, and how long the slowest mode took to draw again once the server answered. */
    record Outcome(List<String> findings, Duration longestRecovery) {}

    /** Kills the server up to {@code kills} times; stops at the first finding. */
    Outcome run(int kills, List<DrawingProcess> processes) throws Exception {
        List<String> findings = new ArrayList<>();
        Duration longest = Duration.ZERO;
        for (int round = 0; round < kills && findings.isEmpty(); round++) {
            for (DrawingProcess process : processes) {
                trial.drawOn(process);
            }
            trial.awaitMore(ApplicationKills.DRAWS);
            weakening.apply(processes.get(0));
            trial.awaitMore(ApplicationKills.DRAWS);
            Thread.sleep(ThreadLocalRandom.current().nextInt(50));
            server.kill();
            server.restart();
            Duration recovery = recovery();
            longest = recovery.compareTo(longest) > 0 ? recovery : longest;
            for (DrawingProcess process : processes) {
                process.stop(trial.modes());
            }
            findings.addAll(trial.findings());
        }
        return new Outcome(findings, longest);
    }

    private Duration recovery() throws InterruptedException {
        long began = System.nanoTime();
        trial.awaitMore(ApplicationKills.DRAWS);
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
