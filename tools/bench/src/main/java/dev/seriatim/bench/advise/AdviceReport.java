// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.bench.model.ModeProfile;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.ModeNames;
import dev.seriatim.cli.terminal.WrappedText;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;

/** Prints an advice, and the limits of the modes that do not deal from memory. */
final class AdviceReport {

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private static final int INDENT = 17;

    private AdviceReport() {}

    static void text(ExpectedLoad load, Advice advice, PrintWriter out) {
        line(out, "mode", advice.mode());
        line(out, "why", advice.why());
        if (advice.alternative() != null) {
            line(out, "or", advice.alternative());
        }
        Advice.Blocks blocks = advice.blocks();
        if (blocks != null) {
            line(out, "block size", blocks.size());
            line(out, "low-water mark", blocks.lowWaterMark());
        }
        line(out, "values", shown(advice.valuesPerSecond()) + "/s expected of each instance");
        line(out, "reservations", shown(advice.reservationsPerSecond()) + "/s on the sequence's row");
        line(
                out,
                "lost in a crash",
                "at most " + advice.lostInCrash() + (advice.lostInCrash() == 1 ? " value" : " values") + " per instance"
                        + (blocks == null ? "" : ", if its reservations do not queue at the row"));
        String limit = shown(load.reservationLimit()) + "/s";
        line(
                out,
                "limits",
                "at this latency: " + ModeNames.and(AdviceReport::isFixed) + " " + limit + "; "
                        + ModeNames.and(mode -> growsWithCallers(mode) && !mode.confirmsBlocks()) + " " + limit
                        + " for each concurrent caller (" + load.callers() + " at this rate); "
                        + ModeNames.and(DrawMode::confirmsBlocks) + " " + shown(load.readLimit()) + "/s for each ("
                        + load.callersOfReads() + ")");
    }

    private static boolean isFixed(DrawMode mode) {
        return !mode.dealsFromMemory() && !ModeProfile.of(mode).growsWithCallers();
    }

    private static boolean growsWithCallers(DrawMode mode) {
        return !mode.dealsFromMemory() && ModeProfile.of(mode).growsWithCallers();
    }

    static void json(ExpectedLoad load, Guarantee guarantee, Advice advice, JsonWriter json) throws IOException {
        json.name("rate_per_second").value(load.perSecond());
        json.name("latency_ms").value(unpadded(BigDecimal.valueOf(load.latency().toNanos(), 6)));
        json.name("read_latency_ms")
                .value(unpadded(BigDecimal.valueOf(load.readLatency().toNanos(), 6)));
        json.name("guarantee").value(guarantee.toString());
        json.name("mode").value(advice.mode().name());
        json.name("reason").value(advice.why());
        json.name("alternative").value(advice.alternative());
        Advice.Blocks blocks = advice.blocks();
        json.name("batch_size").value(blocks == null ? null : blocks.size());
        json.name("low_water_mark").value(blocks == null ? null : blocks.lowWaterMark());
        json.name("values_per_second").value(plain(advice.valuesPerSecond()));
        json.name("reservations_per_second").value(plain(advice.reservationsPerSecond()));
        json.name("values_lost_in_crash").value(advice.lostInCrash());
        json.name("limit_per_second").beginObject();
        for (DrawMode mode : DrawMode.values()) {
            if (!mode.dealsFromMemory()) {
                json.name(growsWithCallers(mode) ? mode + "_per_waiting_caller" : mode.name());
                json.value(plain(mode.confirmsBlocks() ? load.readLimit() : load.reservationLimit()));
            }
        }
        json.endObject();
        json.name("combined_callers_needed").value(load.callers());
        json.name("confirmed_callers_needed").value(load.callersOfReads());
    }

    /** Prints a value behind its label, on as many lines as it takes. */
    static void line(PrintWriter out, String label, Object value) {
        String start = label + " ".repeat(INDENT - label.length());
        for (String line : WrappedText.ofColumn(value.toString(), INDENT)) {
            out.println(start + line);
            start = " ".repeat(INDENT);
        }
    }

    static String time(Duration time) {
        return shown(BigDecimal.valueOf(time.toNanos(), 6)) + " ms";
    }

    private static BigDecimal unpadded(BigDecimal value) {
        return new BigDecimal(value.stripTrailingZeros().toPlainString());
    }

    private static BigDecimal plain(BigDecimal value) {
        return new BigDecimal(shown(value));
    }

    /** Returns three significant digits, or all digits before the point. */
    static String shown(BigDecimal value) {
        BigDecimal rounded = value.compareTo(BigDecimal.valueOf(100)) >= 0
                ? value.setScale(0, RoundingMode.HALF_UP)
                : value.round(THREE_DIGITS).stripTrailingZeros();
        return rounded.toPlainString();
    }
}
