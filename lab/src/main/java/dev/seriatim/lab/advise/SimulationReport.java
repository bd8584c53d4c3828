// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.lab.simulation.Demand;
import dev.seriatim.lab.simulation.SimulationPlan;
import dev.seriatim.lab.simulation.SimulationResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Shows what a simulation was of, and what came of it. Immutable. */
record SimulationReport(SimulationPlan scenario, SimulationResult outcome) {

    void text(PrintWriter out) {
        AdviceReport.line(out, "simulated", subject());
        AdviceReport.line(
                out,
                "for",
                seconds(scenario.counted()) + " s, after " + seconds(scenario.warmUp()) + " s that do not count; seed "
                        + scenario.seed());
        boolean open = scenario.demand() instanceof Demand.Rate;
        AdviceReport.line(
                out,
                "values",
                shown(outcome.valuesPerSecond()) + "/s"
                        + (open ? " of " + shown(scenario.wantedPerSecond()) + "/s wanted" : ""));
        AdviceReport.line(
                out,
                "reservations",
                shown(outcome.reservationsPerSecond()) + "/s on the sequence's row, which is held "
                        + shown(outcome.busy() * 100) + " % of the time");
        AdviceReport.line(
                out,
                "latency",
                "of a draw: p50 " + shown(millis(outcome.p50Nanos())) + " ms, p99 " + shown(millis(outcome.p99Nanos()))
                        + " ms" + impatience());
        AdviceReport.line(out, "lost in a crash", "of each instance: " + spread(outcome.lostInCrash()) + " values");
        AdviceReport.line(
                out,
                "in flight",
                "from the lowest value not yet dealt to the highest dealt: " + spread(outcome.inFlight()));
    }

    void json(JsonWriter json) throws IOException {
        SimulationPlan.Fleet fleet = scenario.fleet();
        json.name("simulation").beginObject();
        json.name("mode").value(scenario.mode().name());
        json.name("instances").value(fleet.instances());
        json.name("regions").value(fleet.regions());
        json.name("rtt_ms").value(plain(millis(fleet.roundTrip().toNanos())));
        json.name("latency_ms").value(plain(millis(scenario.latency().toNanos())));
        json.name("threads").value(scenario.demand() instanceof Demand.Threads threads ? threads.count() : null);
        json.name("work_ms").value(plain(millis(scenario.work().toNanos())));
        json.name("batch_size")
                .value(scenario.mode().hasBatchSize() ? scenario.blocks().size() : null);
        json.name("low_water_mark")
                .value(scenario.mode().hasLowWaterMark() ? scenario.blocks().lowWaterMark() : null);
        json.name("seed").value(scenario.seed());
        json.name("simulated_seconds").value(plain(scenario.counted().toNanos() / 1e9));
        json.name("warm_up_seconds").value(plain(scenario.warmUp().toNanos() / 1e9));
        boolean open = scenario.demand() instanceof Demand.Rate;
        json.name("wanted_per_second").value(open ? plain(scenario.wantedPerSecond()) : null);
        json.name("values_per_second").value(plain(outcome.valuesPerSecond()));
        json.name("reservations_per_second").value(plain(outcome.reservationsPerSecond()));
        json.name("row_busy_ratio").value(plain(outcome.busy()));
        json.name("p50_ms").value(plain(millis(outcome.p50Nanos())));
        json.name("p99_ms").value(plain(millis(outcome.p99Nanos())));
        json.name("beyond_patience_ratio").value(plain(outcome.impatient()));
        json(json, "values_lost_in_crash", outcome.lostInCrash());
        json(json, "spread_in_flight", outcome.inFlight());
        json.endObject();
    }

    private static void json(JsonWriter json, String name, SimulationResult.Spread spread) throws IOException {
        json.name(name).beginObject();
        json.name("mean").value(plain(spread.mean()));
        json.name("most").value(spread.most());
        json.endObject();
    }

    private String subject() {
        SimulationPlan.Fleet fleet = scenario.fleet();
        StringBuilder text = new StringBuilder(scenario.mode().name());
        if (scenario.mode().hasBatchSize()) {
            text.append(", batch size ").append(scenario.blocks().size());
        }
        if (scenario.mode().hasLowWaterMark()) {
            text.append(", low-water mark ").append(scenario.blocks().lowWaterMark());
        }
        text.append(fleet.instances() == 1 ? "; 1 instance" : "; " + fleet.instances() + " instances");
        if (fleet.regions() > 1) {
            text.append(" in ").append(fleet.regions()).append(" regions, ");
            text.append(shown(millis(fleet.roundTrip().toNanos()))).append(" ms apart,");
        }
        return text.append(
                        scenario.demand() instanceof Demand.Threads threads
                                ? " with " + threads.count() + (threads.count() == 1 ? " thread" : " threads")
                                        + " that work "
                                        + shown(millis(scenario.work().toNanos())) + " ms a value"
                                : " at " + shown(scenario.wantedPerSecond() / fleet.instances()) + "/s each")
                .toString();
    }

    private String impatience() {
        return outcome.impatient() == 0
                ? ""
                : "; " + shown(outcome.impatient() * 100) + " % took longer than "
                        + SimulationResult.PATIENCE.toSeconds() + " s, the usual patience, and would have failed";
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

    /** Six digits behind the point. */
    private static BigDecimal plain(double number) {
        BigDecimal rounded = BigDecimal.valueOf(number).setScale(6, RoundingMode.HALF_UP);
        return new BigDecimal(rounded.stripTrailingZeros().toPlainString());
    }
}
