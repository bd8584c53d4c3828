// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.advise;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Shows an advice, and what the ordered modes could reach beside it. */
final class AdviceReport {

    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private AdviceReport() {}

    static void text(ExpectedLoad load, Advice advice, PrintWriter out) {
        String limit = shown(load.reservationLimit());
        line(out, "mode", advice.mode() + (advice.reachable() ? "" : ", which does not reach the rate"));
        line(out, "why", advice.why());
        Advice.Blocks blocks = advice.blocks();
        if (blocks != null) {
            line(out, "block size", blocks.size());
            line(out, "low-water mark", blocks.lowWaterMark());
        }
        line(out, "values", shown(advice.valuesPerSecond()) + "/s to expect of each instance");
        line(out, "reservations", shown(advice.reservationsPerSecond()) + "/s on the sequence's row");
        line(out, "lost in a crash", "at most " + advice.lostInCrash() + " values per instance");
        line(
                out,
                "limits",
                "at this latency: SYNC " + limit + "/s, ASYNC " + limit + "/s, GROUPED and COMBINED " + limit
                        + "/s for each caller that waits (" + load.perReservation() + " for this rate)");
    }

    static void json(ExpectedLoad load, Guarantee guarantee, Advice advice, JsonWriter json) throws IOException {
        json.name("rate_per_second").value(load.perSecond());
        json.name("latency_ms").value(unpadded(BigDecimal.valueOf(load.latency().toNanos(), 6)));
        json.name("guarantee").value(guarantee.toString());
        json.name("mode").value(advice.mode().name());
        json.name("reachable").value(advice.reachable());
        json.name("reason").value(advice.why());
        Advice.Blocks blocks = advice.blocks();
        json.name("batch_size").value(blocks == null ? null : blocks.size());
        json.name("low_water_mark").value(blocks == null ? null : blocks.lowWaterMark());
        json.name("values_per_second").value(plain(advice.valuesPerSecond()));
        json.name("reservations_per_second").value(plain(advice.reservationsPerSecond()));
        json.name("values_lost_in_crash").value(advice.lostInCrash());
        json.name("limit_per_second").beginObject();
        json.name("SYNC").value(plain(load.reservationLimit()));
        json.name("ASYNC").value(plain(load.reservationLimit()));
        json.name("GROUPED_per_waiting_caller").value(plain(load.reservationLimit()));
        json.name("COMBINED_per_waiting_caller").value(plain(load.reservationLimit()));
        json.endObject();
        json.name("combined_callers_needed").value(load.perReservation());
    }

    static void line(PrintWriter out, String what, Object value) {
        out.println(what + " ".repeat(17 - what.length()) + value);
    }

    private static BigDecimal unpadded(BigDecimal value) {
        return new BigDecimal(value.stripTrailingZeros().toPlainString());
    }

    private static BigDecimal plain(BigDecimal value) {
        return new BigDecimal(shown(value));
    }

    /** Three digits, but no fewer than stand before the point. */
    static String shown(BigDecimal value) {
        BigDecimal rounded = value.compareTo(BigDecimal.valueOf(100)) >= 0
                ? value.setScale(0, RoundingMode.HALF_UP)
                : value.round(THREE_DIGITS).stripTrailingZeros();
        return rounded.toPlainString();
    }
}
