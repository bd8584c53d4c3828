// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.seriatim.cli.draw.DrawMode;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * ADAPTIVE when all instances start at once on a row that this saturates. The first reservations of all take instances × latency:
 * nothing can be dealt to the last instance before. Each instance needs up to two more, since the first block is the sequence's
 * default, and the second is sized by what the first has shown. So a fleet has settled after three of these rounds, or a minute.
 */
@Tag("long")
class ColdStartTest {

    private static final double SERVED = 0.97;
    private static final double RESERVED_PER_USED = 4;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ROUNDS = 3;

    @ParameterizedTest(name = "{0} instances at {1}/s, {2} ms, {3} regions")
    @CsvSource({
        "2000, 5, 10, 1",
        "10000, 1, 10, 1",
        "3000, 2, 80, 1",
        "100, 500, 10, 1",
        "10000, 1, 10, 3",
    })
    void serves_everyone_and_reserves_little_more_than_is_used(
            int instances, double perSecond, long latencyMillis, int regions) {
        Duration round = Duration.ofMillis(latencyMillis).multipliedBy(instances);
        Duration settled = longer(MINUTE, round.multipliedBy(ROUNDS));
        Fleet fleet = new Fleet(instances, perSecond, Duration.ofMillis(latencyMillis), regions);

        SimulationResult start =
                fleet.run(settled.dividedBy(3), settled.dividedBy(3).multipliedBy(2));
        double wanted = instances * perSecond * settled.toMillis() / 1000;
        assertThat(start.dealt() / wanted).as("served since the start").isGreaterThan(SERVED);
        assertThat(start.reservedPerUsed()).isLessThan(RESERVED_PER_USED);

        SimulationResult calm = fleet.run(settled, settled.multipliedBy(2));
        assertThat(calm.valuesPerSecond() / (instances * perSecond)).isGreaterThan(SERVED);
        assertThat(calm.reservedPerUsed()).isLessThan(RESERVED_PER_USED);
        assertThat(calm.longestWaitNanos()).as("a stalled instance").isLessThan(SECOND);
        assertThat(calm.impatient()).isLessThan(0.001);
        assertThat(calm.busy()).isLessThan(0.95);
    }

    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest(name = "{0} instances at {1}/s")
    @CsvSource({"2000, 5, 100", "100, 500, 20"})
    void does_not_shrink_until_the_row_is_saturated_again(int instances, double perSecond, int minutes) {
        SimulationResult later = new Fleet(instances, perSecond, Duration.ofMillis(10), 1)
                .run(Duration.ofMinutes(minutes).dividedBy(2), Duration.ofMinutes(minutes));
        assertThat(later.longestWaitNanos()).isLessThan(SimulationResult.PATIENCE.toNanos());
        assertThat(later.impatient()).isLessThan(1e-5);
        assertThat(later.reservedPerUsed()).isLessThan(1.05);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private record Fleet(int instances, double perSecond, Duration latency, int regions) {

        /** Runs from a cold start. The warm-up is always half as long as what is counted. */
        SimulationResult run(Duration warmUp, Duration counted) {
            SimulationPlan plan = new SimulationPlan(
                    DrawMode.ADAPTIVE,
                    new SimulationPlan.Blocks(200, 50),
                    new SimulationPlan.Fleet(instances, regions, regions > 1 ? Duration.ofMillis(80) : Duration.ZERO),
                    new Demand.Rate(perSecond),
                    StoreTimes.of(latency.toMillis() / 1e3),
                    Duration.ZERO,
                    counted,
                    1);
            assertThat(plan.warmUp()).isEqualTo(warmUp);
            return Simulation.of(plan);
        }
    }
}
