// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import com.google.gson.stream.JsonWriter;
import dev.seriatim.SequenceException;
import dev.seriatim.bench.model.StoreTimes;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.Simulation;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.terminal.Columns;
import dev.seriatim.cli.terminal.OneLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares simulated with measured throughput. Immutable.
 *
 * @param compared runs that were simulated with their settings
 * @param leftOut runs that cannot be simulated
 */
record SimulationCheck(List<Compared> compared, List<LeftOut> leftOut) {

    private static final Set<String> CLOSED_LOOPS = Set.of("modes", "spanner");

    record Compared(Figures run, double simulated) {
        double errorPercent() {
            return (simulated / run.valuesPerSecond() - 1) * 100;
        }
    }

    record LeftOut(Figures run, String why) {}

    static SimulationCheck of(Measurements measurements, long seed) {
        List<Compared> compared = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (Figures run : measurements.runs()) {
            try {
                double simulated =
                        Simulation.of(plan(run, times(measurements), seed)).valuesPerSecond();
                compared.add(new Compared(run, simulated));
            } catch (IllegalArgumentException e) {
                leftOut.add(new LeftOut(run, String.valueOf(e.getMessage())));
            }
        }
        return new SimulationCheck(compared, leftOut);
    }

    /** Fails if nothing was compared. */
    void checkNotEmpty(Path file) {
        if (compared.isEmpty()) {
            throw new SequenceException.Misconfigured(OneLine.of(file.toString()) + " has no run that can be simulated"
                    + (leftOut.isEmpty() ? "" : " (the first: " + leftOut.get(0).why + ")")
                    + "; name a file that 'bench --json FILE' wrote, for example with --mode COMBINED");
        }
    }

    /** Returns the simulation's largest error, in percent. */
    double largestErrorPercent() {
        return compared.stream()
                .mapToDouble(c -> Math.abs(c.errorPercent()))
                .max()
                .orElse(0);
    }

    void text(PrintWriter out) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"mode", "threads", "measured/s", "simulated/s", "error %"});
        for (Compared one : compared) {
            rows.add(new String[] {
                OneLine.of(one.run.mode()),
                Integer.toString(one.run.threads()),
                decimal("%.1f", one.run.valuesPerSecond()),
                decimal("%.1f", one.simulated),
                decimal("%+.1f", one.errorPercent())
            });
        }
        Columns.print(rows, out);
        out.println();
        out.println("largest error: " + decimal("%.1f", largestErrorPercent()) + " %");
        for (LeftOut one : leftOut) {
            out.println("left out: " + OneLine.of(one.run.mode()) + ", " + one.run.threads() + " threads, scenario "
                    + OneLine.of(one.run.scenario()) + ": " + one.why);
        }
    }

    void json(JsonWriter json) throws IOException {
        json.name("compared").beginArray();
        for (Compared one : compared) {
            head(json, one.run);
            json.name("measured_per_second").value(one.run.valuesPerSecond());
            json.name("simulated_per_second").value(rounded(one.simulated));
            json.name("error_percent").value(rounded(one.errorPercent()));
            json.endObject();
        }
        json.endArray();
        json.name("largest_error_percent").value(rounded(largestErrorPercent()));
        json.name("left_out").beginArray();
        for (LeftOut one : leftOut) {
            head(json, one.run);
            json.name("reason").value(one.why).endObject();
        }
        json.endArray();
    }

    private static void head(JsonWriter json, Figures run) throws IOException {
        json.beginObject();
        json.name("scenario").value(run.scenario());
        json.name("mode").value(run.mode());
        json.name("threads").value(run.threads());
    }

    private static SimulationPlan plan(Figures run, StoreTimes store, long seed) {
        if (!CLOSED_LOOPS.contains(run.scenario())) {
            throw new IllegalArgumentException("the runs of this scenario are not loops of draws and work");
        }
        if (run.valuesPerSecond() <= 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        DrawMode mode = mode(run.mode());
        Demand demand = new Demand.Threads(run.threads());
        return new SimulationPlan(
                mode,
                new SimulationPlan.Blocks(atLeastOne(run.batchSize()), atLeastOne(run.lowWaterMark())),
                SimulationPlan.Fleet.ONE,
                demand,
                store,
                nanos(run.appLatencyMs()),
                SimulationPlan.usualDuration(mode, SimulationPlan.Fleet.ONE, demand, store),
                seed);
    }

    /** Files of older versions say only how long a reservation takes. */
    private static StoreTimes times(Measurements measured) {
        double reservation = seconds(measured.reservationMs());
        Double row = measured.rowMs();
        Double read = measured.readMs();
        return new StoreTimes(
                reservation,
                row == null ? reservation : Math.min(reservation, seconds(row)),
                read == null ? reservation : seconds(read));
    }

    private static double seconds(double millis) {
        return millis / 1e3;
    }

    private static long atLeastOne(@Nullable Long number) {
        return number == null ? 1 : Math.max(1, number);
    }

    private static DrawMode mode(String name) {
        return DrawMode.named(name).orElseThrow(() -> new IllegalArgumentException("this mode cannot be simulated"));
    }

    private static Duration nanos(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6));
    }

    private static double rounded(double number) {
        return Math.round(number * 1000) / 1000.0;
    }

    private static String decimal(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
