// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.SimulationResult;
import dev.seriatim.report.Document;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a plan and the result of its simulation. Immutable. */
record SimulationReport(SimulationPlan plan, SimulationResult result) {

    void write(Document document) {
        String wanted = isOpen() ? " of " + shown(plan.wantedPerSecond()) + "/s wanted" : "";
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
        document.data("simulation", properties());
    }

    private boolean isOpen() {
        return plan.demand() instanceof Demand.Rate;
    }

    private Map<String, @Nullable Object> properties() {
        SimulationPlan.Fleet fleet = plan.fleet();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("mode", plan.mode().name());
        json.put("instances", fleet.instances());
        json.put("regions", fleet.regions());
        json.put("rtt_ms", plain(seconds(fleet.roundTrip()) * 1e3));
        json.put("latency_ms", plain(plan.store().reservation() * 1e3));
        json.put("row_ms", plain(plan.store().row() * 1e3));
        json.put("read_ms", plan.mode().confirmsBlocks() ? plain(plan.store().read() * 1e3) : null);
        json.put("threads", plan.demand() instanceof Demand.Threads threads ? threads.count() : null);
        json.put("work_ms", plain(seconds(plan.work()) * 1e3));
        json.put("batch_size", plan.mode().hasBatchSize() ? plan.blocks().size() : null);
        json.put("low_water_mark", plan.mode().hasLowWaterMark() ? plan.blocks().lowWaterMark() : null);
        json.put("seed", plan.seed());
        json.put("simulated_seconds", plain(seconds(plan.counted())));
        json.put("warm_up_seconds", plain(seconds(plan.warmUp())));
        json.put("wanted_per_second", isOpen() ? plain(plan.wantedPerSecond()) : null);
        json.put("values_per_second", plain(result.valuesPerSecond()));
        json.put("reservations_per_second", plain(result.reservationsPerSecond()));
        json.put("reserved_per_used", plain(result.reservedPerUsed()));
        json.put("row_busy_ratio", plain(result.busy()));
        json.put("p50_ms", plain(result.p50Nanos() / 1e6));
        json.put("p99_ms", plain(result.p99Nanos() / 1e6));
        json.put("beyond_patience_ratio", plain(result.impatient()));
        json.put("values_lost_in_crash", properties(result.lostInCrash()));
        json.put("spread_in_flight", properties(result.inFlight()));
        return json;
    }

    private static Map<String, Object> properties(SimulationResult.Spread spread) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mean", plain(spread.mean()));
        json.put("most", spread.most());
        return json;
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
            text.append(" with ").append(threads.count()).append(threads.count() == 1 ? " thread" : " threads");
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
        return AdviceReport.shown(BigDecimal.valueOf(number));
    }

    /** Rounds to six decimals. */
    private static BigDecimal plain(double number) {
        BigDecimal rounded = BigDecimal.valueOf(number).setScale(6, RoundingMode.HALF_UP);
        return new BigDecimal(rounded.stripTrailingZeros().toPlainString());
    }
}
