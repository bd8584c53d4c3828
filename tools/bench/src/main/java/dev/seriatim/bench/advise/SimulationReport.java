// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.SimulationResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Prints what was simulated, and the result. Immutable. */
record SimulationReport(SimulationPlan plan, SimulationResult result) {

    void text(PrintWriter out) {
        AdviceReport.line(out, "simulated", subject());
        AdviceReport.line(
                out,
                "for",
                seconds(plan.counted()) + " s, after a warm-up of " + seconds(plan.warmUp()) + " s; seed "
                        + plan.seed());
        boolean open = plan.demand() instanceof Demand.Rate;
        AdviceReport.line(
                out,
                "values",
                shown(result.valuesPerSecond()) + "/s"
                        + (open ? " of " + shown(plan.wantedPerSecond()) + "/s wanted" : ""));
        AdviceReport.line(
                out,
                "reservations",
                shown(result.reservationsPerSecond()) + "/s on the sequence's row, which is held "
                        + shown(result.busy() * 100) + " % of the time");
        AdviceReport.line(
                out, "reserved", shown(result.reservedPerUsed()) + " values for each that was drawn since the start");
        AdviceReport.line(
                out,
                "latency",
                "of a draw: p50 " + shown(millis(result.p50Nanos())) + " ms, p99 " + shown(millis(result.p99Nanos()))
                        + " ms" + impatience());
        AdviceReport.line(out, "lost in a crash", "of each instance: " + spread(result.lostInCrash()) + " values");
        AdviceReport.line(
                out,
                "in flight",
                "the lowest value not yet dealt is below the highest dealt by " + spread(result.inFlight()));
    }

    void json(JsonWriter json) throws IOException {
        SimulationPlan.Fleet fleet = plan.fleet();
        json.name("simulation").beginObject();
        json.name("mode").value(plan.mode().name());
        json.name("instances").value(fleet.instances());
        json.name("regions").value(fleet.regions());
        json.name("rtt_ms").value(plain(millis(fleet.roundTrip().toNanos())));
        json.name("latency_ms").value(plain(plan.store().reservation() * 1e3));
        json.name("row_ms").value(plain(plan.store().row() * 1e3));
        json.name("read_ms").value(confirms() ? plain(plan.store().read() * 1e3) : null);
        json.name("threads").value(plan.demand() instanceof Demand.Threads threads ? threads.count() : null);
        json.name("work_ms").value(plain(millis(plan.work().toNanos())));
        json.name("batch_size").value(plan.mode().hasBatchSize() ? plan.blocks().size() : null);
        json.name("low_water_mark")
                .value(plan.mode().hasLowWaterMark() ? plan.blocks().lowWaterMark() : null);
        json.name("seed").value(plan.seed());
        json.name("simulated_seconds").value(plain(plan.counted().toNanos() / 1e9));
        json.name("warm_up_seconds").value(plain(plan.warmUp().toNanos() / 1e9));
        boolean open = plan.demand() instanceof Demand.Rate;
        json.name("wanted_per_second").value(open ? plain(plan.wantedPerSecond()) : null);
        json.name("values_per_second").value(plain(result.valuesPerSecond()));
        json.name("reservations_per_second").value(plain(result.reservationsPerSecond()));
        json.name("reserved_per_used").value(plain(result.reservedPerUsed()));
        json.name("row_busy_ratio").value(plain(result.busy()));
        json.name("p50_ms").value(plain(millis(result.p50Nanos())));
        json.name("p99_ms").value(plain(millis(result.p99Nanos())));
        json.name("beyond_patience_ratio").value(plain(result.impatient()));
        json(json, "values_lost_in_crash", result.lostInCrash());
        json(json, "spread_in_flight", result.inFlight());
        json.endObject();
    }

    private static void json(JsonWriter json, String name, SimulationResult.Spread spread) throws IOException {
        json.name(name).beginObject();
        json.name("mean").value(plain(spread.mean()));
        json.name("most").value(spread.most());
        json.endObject();
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
        text.append(fleet.instances() == 1 ? "; 1 instance" : "; " + fleet.instances() + " instances");
        if (fleet.regions() > 1) {
            text.append(" in ").append(fleet.regions()).append(" regions, ");
            text.append(shown(millis(fleet.roundTrip().toNanos()))).append(" ms apart,");
        }
        text.append(confirms() ? ", a read of " + shown(plan.store().read() * 1e3) + " ms," : "");
        return text.append(
                        plan.demand() instanceof Demand.Threads threads
                                ? " with " + threads.count() + (threads.count() == 1 ? " thread" : " threads")
                                        + ", work of "
                                        + shown(millis(plan.work().toNanos())) + " ms per value"
                                : " at " + shown(plan.wantedPerSecond() / fleet.instances()) + "/s each")
                .toString();
    }

    private boolean confirms() {
        return plan.mode().confirmsBlocks();
    }

    private String impatience() {
        return result.impatient() == 0
                ? ""
                : "; " + shown(result.impatient() * 100) + " % took longer than "
                        + SimulationResult.PATIENCE.toSeconds() + " s, the default patience, and would have failed";
    }

    private static String spread(SimulationResult.Spread spread) {
        return shown(spread.mean()) + " on average, at most " + spread.most();
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private static String seconds(Duration time) {
        return shown(time.toNanos() / 1e9);
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
