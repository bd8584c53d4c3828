// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.scenario;

import dev.seriatim.lab.bench.contender.Contender;
import dev.seriatim.lab.bench.contender.RunPlan;
import dev.seriatim.lab.bench.contender.Setting;
import dev.seriatim.lab.bench.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What was asked for of a scenario; what was not is the scenario's to choose. Immutable.
 *
 * @param threads how many clients at a time
 * @param iterations how many iterations, where they are counted
 * @param duration how long a run lasts, where it is not
 * @param rounds how many rounds
 * @param appLatency how long the application's transaction takes, where one is simulated
 * @param batchSize values per block
 * @param lowWaterMark values left when the next block is fetched
 * @param peers whether the engine's own sequence and UUIDs take part
 */
public record Overrides(
        Optional<List<Integer>> threads,
        OptionalLong iterations,
        Optional<Duration> duration,
        OptionalInt rounds,
        Optional<Duration> appLatency,
        long batchSize,
        long lowWaterMark,
        boolean peers) {

    List<Integer> threadsOr(Integer... usual) {
        return threads.orElse(List.of(usual));
    }

    /** A run without work of the application's. */
    RunPlan plan(Contender contender, int clients, Workload workload, Setting setting) {
        return new RunPlan(contender, clients, batchSize, lowWaterMark, Duration.ZERO, workload, setting);
    }

    /** The same with blocks, or a cache, of a size of its own. */
    public static RunPlan sized(RunPlan plan, long size) {
        return new RunPlan(
                plan.mode(),
                plan.threads(),
                size,
                Math.min(size, plan.lowWaterMark()),
                plan.appLatency(),
                plan.workload(),
                plan.setting());
    }
}
