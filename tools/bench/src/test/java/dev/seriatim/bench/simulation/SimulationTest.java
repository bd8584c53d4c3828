// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.seriatim.SequenceDefinition;
import dev.seriatim.cli.draw.DrawMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {

    /** Of this thread alone, whatever else the machine does. */
    private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

    private static final Duration TEN = Duration.ofMillis(10);
    private static final StoreTimes STORE = StoreTimes.of(0.010);
    private static final Offset<Double> ALMOST = within(0.02);
    private static final Percentage ONE_PERCENT = Percentage.withPercentage(1);

    private static SimulationPlan of(DrawMode mode, SimulationPlan.Fleet fleet, Demand demand, Duration work) {
        return new SimulationPlan(
                mode, new SimulationPlan.Blocks(200, 50), fleet, demand, STORE, work, Duration.ofSeconds(60), 42);
    }

    private static SimulationResult threads(DrawMode mode, int threads) {
        return Simulation.of(of(mode, SimulationPlan.Fleet.ONE, new Demand.Threads(threads), TEN));
    }

    private static SimulationPlan of(DrawMode mode, StoreTimes store, int threads, Duration work) {
        return new SimulationPlan(
                mode,
                new SimulationPlan.Blocks(200, 50),
                SimulationPlan.Fleet.ONE,
                new Demand.Threads(threads),
                store,
                work,
                Duration.ofSeconds(60),
                42);
    }

    private static SimulationResult threads(DrawMode mode, StoreTimes store, int threads) {
        return Simulation.of(of(mode, store, threads, TEN));
    }

    private static SimulationResult rate(DrawMode mode, SimulationPlan.Fleet fleet, double perSecond) {
        return Simulation.of(of(mode, fleet, new Demand.Rate(perSecond), Duration.ZERO));
    }

    @Test
    void transactions_that_draw_go_one_after_another() {
        SimulationResult outcome = threads(DrawMode.SYNC, 10);
        assertThat(outcome.valuesPerSecond()).isCloseTo(50, ALMOST);
        assertThat(outcome.reservationsPerSecond()).isCloseTo(50, ALMOST);
        assertThat(outcome.busy()).isCloseTo(1, within(1e-3));
        assertThat(outcome.p50Nanos()).isCloseTo(190_000_000L, ONE_PERCENT);
        assertThat(outcome.lostInCrash().most()).isZero();
        assertThat(threads(DrawMode.SYNC, 1).valuesPerSecond()).isCloseTo(50, ALMOST);
    }

    @Test
    void a_transaction_per_value_is_as_fast_as_the_row_or_as_the_caller() {
        assertThat(threads(DrawMode.ASYNC, 50).valuesPerSecond()).isCloseTo(100, ALMOST);
        assertThat(threads(DrawMode.ASYNC, 1).valuesPerSecond()).isCloseTo(50, ALMOST);
    }

    @Test
    void a_group_pays_once_for_all_its_members() {
        SimulationPlan idle = of(DrawMode.GROUPED, SimulationPlan.Fleet.ONE, new Demand.Threads(32), Duration.ZERO);
        assertThat(Simulation.of(idle).valuesPerSecond()).isCloseTo(3200, ONE_PERCENT);
        assertThat(threads(DrawMode.GROUPED, 5).valuesPerSecond())
                .isCloseTo(
                        ModeProfile.of(DrawMode.GROUPED).limit().perSecond(5, StoreTimes.of(0.010), 0.010),
                        ONE_PERCENT);
    }

    @Test
    void what_does_not_keep_the_row_overlaps_with_other_reservations() {
        StoreTimes store = new StoreTimes(0.010, 0.002, 0.010);
        assertThat(threads(DrawMode.ASYNC, store, 50).valuesPerSecond()).isCloseTo(500, ONE_PERCENT);
        assertThat(threads(DrawMode.ASYNC, store, 1).valuesPerSecond()).isCloseTo(50, ALMOST);
        assertThat(threads(DrawMode.SYNC, store, 50).valuesPerSecond()).isCloseTo(1 / 0.012, ONE_PERCENT);
        assertThat(threads(DrawMode.SYNC, store, 1).valuesPerSecond()).isCloseTo(50, ALMOST);
        assertThat(threads(DrawMode.SYNC, store, 50).busy()).isCloseTo(1, within(1e-3));
        SimulationPlan idle = of(DrawMode.ASYNC, new StoreTimes(0.010, 0.0001, 0.010), 50, Duration.ZERO);
        assertThat(Simulation.of(idle).valuesPerSecond())
                .as("at most 16 reservations at a time")
                .isCloseTo(1600, ONE_PERCENT);
    }

    @Test
    void callers_who_share_a_read_wait_for_few_reservations() {
        StoreTimes store = new StoreTimes(0.010, 0.010, 0.001);
        SimulationPlan idle = of(DrawMode.CONFIRMED, store, 1, Duration.ZERO);
        SimulationResult alone = Simulation.of(idle);
        assertThat(alone.valuesPerSecond()).isCloseTo(1000, ONE_PERCENT);
        assertThat(alone.reservationsPerSecond()).isLessThan(1);
        assertThat(alone.lostInCrash().most()).isBetween(5_000L, 10_001L);
        assertThat(Simulation.of(of(DrawMode.CONFIRMED, store, 50, Duration.ZERO))
                        .valuesPerSecond())
                .as("a read of a millisecond waits for those who come back together")
                .isCloseTo(50_000, Percentage.withPercentage(5));
        StoreTimes quick = new StoreTimes(0.010, 0.010, 0.000_5);
        assertThat(Simulation.of(of(DrawMode.CONFIRMED, quick, 50, Duration.ZERO))
                        .valuesPerSecond())
                .as("a quick read yields to those who come back together")
                .isCloseTo(91_000, Percentage.withPercentage(10));
        double work = 0.010;
        assertThat(threads(DrawMode.CONFIRMED, store, 10).valuesPerSecond())
                .isLessThan(ModeProfile.of(DrawMode.CONFIRMED).limit().perSecond(10, store, work))
                .isGreaterThan(0.8 * ModeProfile.of(DrawMode.CONFIRMED).limit().perSecond(10, store, work));
    }

    @Test
    void callers_of_many_instances_that_confirm_are_served_as_those_that_combine() {
        SimulationPlan.Fleet fleet = new SimulationPlan.Fleet(4, 1, Duration.ZERO);
        for (double perSecond : new double[] {20, 100, 1000}) {
            SimulationResult combined = rate(DrawMode.COMBINED, fleet, perSecond);
            SimulationResult confirmed = rate(DrawMode.CONFIRMED, fleet, perSecond);
            assertThat(confirmed.valuesPerSecond()).isCloseTo(combined.valuesPerSecond(), Percentage.withPercentage(5));
        }
    }

    @Test
    void values_that_are_confirmed_do_not_spread() {
        SimulationPlan.Fleet fleet = new SimulationPlan.Fleet(20, 1, Duration.ZERO);
        assertThat(rate(DrawMode.CONFIRMED, fleet, 10).inFlight().mean()).isLessThan(200);
        assertThat(rate(DrawMode.CONFIRMED, SimulationPlan.Fleet.ONE, 100)
                        .inFlight()
                        .most())
                .isZero();
    }

    @Test
    void callers_that_combine_lose_the_millisecond_in_which_a_reservation_gathers_them() {
        assertThat(threads(DrawMode.COMBINED, 50).valuesPerSecond()).isCloseTo(25 / 0.011, ONE_PERCENT);
    }

    @Test
    void a_block_without_a_mark_stops_all_callers_while_the_next_is_fetched() {
        assertThat(threads(DrawMode.BATCH, 10).valuesPerSecond()).isCloseTo(200 / 0.21, ONE_PERCENT);
        assertThat(threads(DrawMode.BATCH, 50).valuesPerSecond()).isCloseTo(200 / 0.05, ONE_PERCENT);
    }

    @Test
    void no_caller_waits_while_the_mark_exceeds_rate_times_latency() {
        SimulationResult outcome = rate(DrawMode.ASYNC_BATCH, SimulationPlan.Fleet.ONE, 3000);
        assertThat(outcome.p99Nanos()).isZero();
        assertThat(outcome.valuesPerSecond()).isCloseTo(3000, ONE_PERCENT);
        assertThat(outcome.reservationsPerSecond()).isCloseTo(15, ONE_PERCENT);
    }

    @Test
    void callers_wait_while_the_mark_is_below_rate_times_latency() {
        SimulationResult outcome = rate(DrawMode.ASYNC_BATCH, SimulationPlan.Fleet.ONE, 8000);
        assertThat(outcome.p99Nanos()).isGreaterThan(1_000_000);
        assertThat(rate(DrawMode.BATCH, SimulationPlan.Fleet.ONE, 3000).p99Nanos())
                .isGreaterThan(5_000_000);
    }

    @Test
    void blocks_that_follow_the_load_keep_no_caller_waiting_at_any_rate() {
        for (double perSecond : new double[] {5, 500, 50_000, 2_000_000}) {
            SimulationResult outcome = rate(DrawMode.ADAPTIVE, SimulationPlan.Fleet.ONE, perSecond);
            assertThat(outcome.p99Nanos()).as("p99 at %s/s", perSecond).isZero();
            assertThat(outcome.valuesPerSecond())
                    .isCloseTo(perSecond, Percentage.withPercentage(perSecond < 100 ? 20 : 3));
        }
        assertThat(threads(DrawMode.ADAPTIVE, 50).valuesPerSecond()).isCloseTo(5000, ONE_PERCENT);
    }

    @Test
    void the_first_adaptive_block_has_the_default_cache_of_a_sequence() {
        long most = rate(DrawMode.ADAPTIVE, SimulationPlan.Fleet.ONE, 0.1)
                .lostInCrash()
                .most();
        assertThat(most).isBetween(SequenceDefinition.DEFAULT_CACHE - 10, SequenceDefinition.DEFAULT_CACHE - 1);
    }

    @Test
    void a_row_that_is_full_deals_what_it_can() {
        SimulationResult outcome = rate(DrawMode.ASYNC, new SimulationPlan.Fleet(4, 1, Duration.ZERO), 500);
        assertThat(outcome.valuesPerSecond()).isCloseTo(100, ALMOST);
        assertThat(outcome.p50Nanos()).isGreaterThan(10_000_000_000L);
        assertThat(outcome.impatient()).isGreaterThan(0.9);
        assertThat(rate(DrawMode.ASYNC, SimulationPlan.Fleet.ONE, 50).impatient())
                .isZero();
    }

    @Test
    void a_transaction_from_another_region_holds_the_row_for_its_round_trip_too() {
        Duration trip = Duration.ofMillis(80);
        Demand one = new Demand.Threads(4);
        SimulationResult near =
                Simulation.of(of(DrawMode.SYNC, new SimulationPlan.Fleet(2, 1, Duration.ZERO), one, TEN));
        SimulationResult far = Simulation.of(of(DrawMode.SYNC, new SimulationPlan.Fleet(2, 2, trip), one, TEN));
        assertThat(near.valuesPerSecond()).isCloseTo(50, ALMOST);
        assertThat(far.valuesPerSecond()).isLessThan(40);
        SimulationResult reserved = Simulation.of(of(DrawMode.ASYNC, new SimulationPlan.Fleet(2, 2, trip), one, TEN));
        assertThat(reserved.valuesPerSecond()).isGreaterThan(far.valuesPerSecond());
    }

    @Test
    void ordered_numbers_do_not_spread_while_blocks_do() {
        SimulationPlan.Fleet fleet = new SimulationPlan.Fleet(20, 1, Duration.ZERO);
        assertThat(rate(DrawMode.COMBINED, fleet, 10).inFlight().most()).isLessThan(20);
        SimulationResult blocks = rate(DrawMode.BATCH, fleet, 10);
        assertThat(blocks.inFlight().mean()).isBetween(1000.0, 10_000.0);
        assertThat(blocks.lostInCrash().mean()).isBetween(80.0, 120.0);
        assertThat(blocks.lostInCrash().most()).isBetween(190L, 200L);
    }

    @ParameterizedTest
    @EnumSource(value = DrawMode.class, mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void the_same_seed_has_the_same_outcome_and_another_has_another(DrawMode mode) {
        SimulationPlan.Fleet fleet = new SimulationPlan.Fleet(30, 3, Duration.ofMillis(80));
        assertThat(rate(mode, fleet, 20)).isEqualTo(rate(mode, fleet, 20));
        SimulationPlan other = new SimulationPlan(
                mode,
                new SimulationPlan.Blocks(200, 50),
                fleet,
                new Demand.Rate(20),
                STORE,
                Duration.ZERO,
                Duration.ofSeconds(60),
                43);
        assertThat(Simulation.of(other)).isNotEqualTo(rate(mode, fleet, 20));
    }

    @ParameterizedTest
    @EnumSource(value = DrawMode.class, mode = EnumSource.Mode.EXCLUDE, names = "POOLED")
    void ten_thousand_instances_take_seconds(DrawMode mode) {
        SimulationPlan.Fleet fleet = new SimulationPlan.Fleet(10_000, 3, Duration.ofMillis(80));
        for (Demand demand : new Demand[] {new Demand.Rate(500), new Demand.Threads(10)}) {
            Duration counted = SimulationPlan.usualDuration(mode, fleet, demand, StoreTimes.of(0.010));
            SimulationPlan scenario = new SimulationPlan(
                    mode, new SimulationPlan.Blocks(200, 50), fleet, demand, STORE, TEN, counted, 42);
            long began = PROCESSOR.getCurrentThreadCpuTime();
            SimulationResult outcome = Simulation.of(scenario);
            long took = PROCESSOR.getCurrentThreadCpuTime() - began;
            assertThat(outcome.valuesPerSecond()).isPositive();
            assertThat(took).isLessThan(20_000_000_000L);
        }
    }

    @Test
    void what_cannot_be_simulated_is_refused_with_the_reason() {
        Demand threads = new Demand.Threads(1);
        assertThatThrownBy(() -> of(DrawMode.POOLED, SimulationPlan.Fleet.ONE, threads, TEN))
                .hasMessageContaining("POOLED");
        assertThatThrownBy(() -> of(DrawMode.BATCH, SimulationPlan.Fleet.ONE, threads, Duration.ZERO))
                .hasMessageContaining("work longer than 0");
        assertThatThrownBy(() -> new Demand.Threads(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> new Demand.Rate(0)).hasMessageContaining("not 0");
    }
}
