// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.SimulationResult;
import dev.seriatim.report.Document;
import java.math.BigDecimal;
import java.time.Duration;

/** A plan and the result of its simulation, which are the JSON in snake case. Immutable. */
record SimulationReport(SimulationPlan plan, SimulationResult result) {

    void write(Document document) {
        String wanted =
                plan.demand() instanceof Demand.Rate ? " of " + shown(plan.wantedPerSecond()) + "/s wanted" : "";
        String impatience = result.impatient() == 0
                ? ""
                : "; " + shown(result.impatient() * 100) + " % took longer than "
                        + SimulationResult.PATIENCE.toSeconds() + " s, the default patience, and would have failed";
        document.section("")
                .fact("", "simulated", subject())
                .fact(
                        "",
                        "for",
                        shown(seconds(plan.counted())) + " s, after a warm-up of " + shown(seconds(plan.warmUp()))
                                + " s; seed " + plan.seed())
                .fact("", "values", shown(result.valuesPerSecond()) + "/s" + wanted)
                .fact(
                        "",
                        "reservations",
                        shown(result.reservationsPerSecond()) + "/s on the sequence's row, which is held "
                                + shown(result.busy() * 100) + " % of the time")
                .fact(
                        "",
                        "reserved",
                        shown(result.reservedPerUsed()) + " values for each that was drawn since the start")
                .fact(
                        "",
                        "latency",
                        "of a draw: p50 " + shown(result.p50Nanos() / 1e6) + " ms, p99 "
                                + shown(result.p99Nanos() / 1e6) + " ms" + impatience)
                .fact("", "lost in a crash", "of each instance: " + spread(result.lostInCrash()) + " values")
                .fact(
                        "",
                        "in flight",
                        "the lowest value not yet dealt is below the highest dealt by " + spread(result.inFlight()));
        document.data("simulation", this);
    }

    private String subject() {
        SimulationPlan.Fleet fleet = plan.fleet();
        StringBuilder text = new StringBuilder(plan.mode().name());
        if (plan.mode().hasBatchSize()) {
            text.append(", batch size ").append(plan.blocks().size());
        }
        if (plan.mode().hasLowWaterMark()) {
            text.append(", low-water mark ").append(plan.blocks().lowWaterMark());
        }
        text.append("; ").append(fleet.instances()).append(fleet.instances() == 1 ? " instance" : " instances");
        if (fleet.regions() > 1) {
            text.append(" in ").append(fleet.regions()).append(" regions, ");
            text.append(shown(seconds(fleet.roundTrip()) * 1e3)).append(" ms apart,");
        }
        if (plan.mode().confirmsBlocks()) {
            text.append(", a read of ").append(shown(plan.store().read() * 1e3)).append(" ms,");
        }
        if (plan.demand() instanceof Demand.Threads threads) {
            text.append(" with ").append(threads.threads()).append(threads.threads() == 1 ? " thread" : " threads");
            return text + ", work of " + shown(seconds(plan.work()) * 1e3) + " ms per value";
        }
        return text + " at " + shown(plan.wantedPerSecond() / fleet.instances()) + "/s each";
    }

    private static String spread(SimulationResult.Spread spread) {
        return shown(spread.mean()) + " on average, at most " + spread.most();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String shown(double number) {
        return Advice.shown(BigDecimal.valueOf(number));
    }
}
