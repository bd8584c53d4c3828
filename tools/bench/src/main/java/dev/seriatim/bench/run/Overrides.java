// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.bench.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Settings from the command line that override those of a scenario. Immutable.
 *
 * @param threads numbers of concurrent clients
 * @param iterations iterations per run, if the run counts them
 * @param duration duration of a run that does not count iterations
 * @param rounds number of rounds
 * @param appLatency duration of the simulated application transaction
 * @param batchSize values per block
 * @param lowWaterMark values left when the next block is fetched
 * @param baselines whether the database's own sequence and UUIDs take part
 */
public record Overrides(
        Optional<List<Integer>> threads,
        OptionalLong iterations,
        Optional<Duration> duration,
        OptionalInt rounds,
        Optional<Duration> appLatency,
        long batchSize,
        long lowWaterMark,
        boolean baselines) {

    List<Integer> threadsOr(Integer... usual) {
        return threads.orElse(List.of(usual));
    }

    /** Returns a run without application work. */
    RunPlan plan(Contender contender, int clients, Workload workload, Setting setting) {
        return new RunPlan(contender, clients, batchSize, lowWaterMark, Duration.ZERO, workload, setting);
    }

    /** Returns the same run with another block or cache size. */
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
