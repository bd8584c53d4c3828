// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.report.Document;
import dev.seriatim.report.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mode that suits a load. Immutable.
 *
 * @param alternative another mode, when it is the better choice, and what it costs; null if there is none
 * @param blocks the shape of blocks; null for a mode without them
 * @param reservationsPerSecond transactions per second on the sequence's row
 * @param lostInCrash maximum values that a crash of one instance loses
 */
record Advice(
        DrawMode mode,
        String why,
        @Nullable String alternative,
        SimulationPlan.@Nullable Blocks blocks,
        BigDecimal reservationsPerSecond,
        long lostInCrash) {

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    /** Writes the advice, with the limits of the modes that do not deal from memory. */
    void write(ExpectedLoad load, Guarantee guarantee, Document document) {
        BigDecimal values = load.reached(mode);
        BigDecimal limit = load.limit(load.latency());
        BigDecimal readLimit = load.limit(load.readLatency());
        long readers = load.callers(load.readLatency());
        document.data("rate_per_second", load.ofEach())
                .data("instances", load.instances())
                .data("latency_ms", load.latency().toNanos() / 1e6)
                .data("read_latency_ms", load.readLatency().toNanos() / 1e6)
                .data("guarantee", guarantee.toString());
        document.section("")
                .fact("mode", "mode", mode.name())
                .fact("reason", "why", why)
                .fact("alternative", "or", alternative)
                .fact("batch_size", "block size", blocks == null ? null : blocks.size())
                .fact("low_water_mark", "low-water mark", blocks == null ? null : blocks.lowWaterMark())
                .fact("", "values", shown(values) + "/s expected of " + Value.counted(load.instances(), "instance"))
                .fact("", "reservations", shown(reservationsPerSecond) + "/s on the sequence's row")
                .fact(
                        "",
                        "lost in a crash",
                        "at most " + lostInCrash + (lostInCrash == 1 ? " value" : " values")
                                + " per instance"
                                + (blocks == null ? "" : ", if its reservations do not queue at the row"))
                .fact(
                        "",
                        "limits",
                        "at this latency: " + ModeNames.and(each -> waits(each) && !growsWithCallers(each)) + " "
                                + shown(limit) + "/s; "
                                + ModeNames.and(each -> growsWithCallers(each) && !each.confirmsBlocks()) + " "
                                + shown(limit) + "/s for each concurrent caller (" + load.callers() + " at this rate); "
                                + ModeNames.and(DrawMode::confirmsBlocks) + " " + shown(readLimit) + "/s for each ("
                                + readers + ")");
        Map<String, Double> limits = new LinkedHashMap<>();
        for (DrawMode each : DrawMode.values()) {
            if (waits(each)) {
                limits.put(
                        growsWithCallers(each) ? each + "_per_waiting_caller" : each.name(),
                        plain(each.confirmsBlocks() ? readLimit : limit));
            }
        }
        document.data("values_per_second", plain(values))
                .data("reservations_per_second", plain(reservationsPerSecond))
                .data("values_lost_in_crash", lostInCrash)
                .data("limit_per_second", limits)
                .data("combined_callers_needed", load.callers())
                .data("confirmed_callers_needed", readers);
    }

    private static boolean waits(DrawMode mode) {
        return !mode.dealsFromMemory();
    }

    private static boolean growsWithCallers(DrawMode mode) {
        return waits(mode) && ModeProfile.of(mode).growsWithCallers();
    }

    static String time(Duration time) {
        return shown(BigDecimal.valueOf(time.toNanos(), 6)) + " ms";
    }

    private static double plain(BigDecimal value) {
        return Double.parseDouble(shown(value));
    }

    /** Returns three significant digits, or all digits before the point. */
    static String shown(BigDecimal value) {
        BigDecimal rounded = value.compareTo(BigDecimal.valueOf(100)) >= 0
                ? value.setScale(0, RoundingMode.HALF_UP)
                : value.round(THREE_DIGITS).stripTrailingZeros();
        return rounded.toPlainString();
    }
}
