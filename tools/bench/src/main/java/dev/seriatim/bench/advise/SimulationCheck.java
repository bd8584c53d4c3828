// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.advise;

import dev.seriatim.SequenceException;
import dev.seriatim.bench.result.Figures;
import dev.seriatim.bench.result.Measurements;
import dev.seriatim.bench.result.MeasurementsJson;
import dev.seriatim.bench.simulation.Demand;
import dev.seriatim.bench.simulation.Simulation;
import dev.seriatim.bench.simulation.SimulationPlan;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.report.Document;
import dev.seriatim.report.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares simulated with measured throughput. Immutable. */
record SimulationCheck(List<Compared> compared, List<LeftOut> leftOut) {

    private static final Set<String> CLOSED_LOOPS = Set.of("modes", "spanner");

    record Compared(Figures run, double simulated) {
        double errorPercent() {
            return rounded((simulated / run.valuesPerSecond() - 1) * 100);
        }
    }

    record LeftOut(Figures run, String why) {}

    /** Simulates the runs of a file that {@code bench --json} wrote; refuses a file without any that can be simulated. */
    static SimulationCheck of(Path file, long seed) {
        Measurements measurements = MeasurementsJson.read(file);
        List<Compared> compared = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (Figures run : measurements.runs()) {
            try {
                SimulationPlan plan = plan(run, times(measurements), seed);
                compared.add(new Compared(run, Simulation.of(plan).valuesPerSecond()));
            } catch (IllegalArgumentException e) {
                leftOut.add(new LeftOut(run, String.valueOf(e.getMessage())));
            }
        }
        if (compared.isEmpty()) {
            throw new SequenceException.Misconfigured(OneLine.of(file.toString()) + " has no run that can be simulated"
                    + (leftOut.isEmpty() ? "" : " (the first: " + leftOut.get(0).why + ")")
                    + "; name a file that 'bench --json FILE' wrote, for example with --mode COMBINED");
        }
        return new SimulationCheck(compared, leftOut);
    }

    void write(Document document) {
        document.section("")
                .table(new Table<>("compared", "", compared)
                        .column("mode", "mode", one -> one.run.mode())
                        .column("scenario", "", one -> one.run.scenario())
                        .column("threads", "threads", one -> one.run.threads())
                        .column("measured_per_second", "measured/s", 1, one -> one.run.valuesPerSecond())
                        .column("simulated_per_second", "simulated/s", 1, one -> rounded(one.simulated))
                        .column("error_percent", "error %", 1, Compared::errorPercent));
        double largest = compared.stream()
                .mapToDouble(one -> Math.abs(one.errorPercent()))
                .max()
                .orElse(0);
        document.section("").fact("largest_error_percent", "largest error, %", largest);
        document.section("Left out")
                .table(new Table<>("left_out", "", leftOut)
                        .column("mode", "mode", one -> one.run.mode())
                        .column("scenario", "scenario", one -> one.run.scenario())
                        .column("threads", "threads", one -> one.run.threads())
                        .column("reason", "reason", LeftOut::why));
    }

    private static SimulationPlan plan(Figures run, StoreTimes store, long seed) {
        if (!CLOSED_LOOPS.contains(run.scenario())) {
            throw new IllegalArgumentException("the runs of this scenario are not loops of draws and work");
        }
        if (run.valuesPerSecond() <= 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        DrawMode mode = DrawMode.named(run.mode())
                .orElseThrow(() -> new IllegalArgumentException("this mode cannot be simulated"));
        Demand demand = new Demand.Threads(run.threads());
        return new SimulationPlan(
                mode,
                new SimulationPlan.Blocks(atLeastOne(run.batchSize()), atLeastOne(run.lowWaterMark())),
                SimulationPlan.Fleet.ONE,
                demand,
                store,
                Duration.ofNanos(Math.round(run.appLatencyMs() * 1e6)),
                SimulationPlan.usualDuration(mode, SimulationPlan.Fleet.ONE, demand, store),
                seed);
    }

    private static StoreTimes times(Measurements measured) {
        double reservation = measured.reservationMs() / 1e3;
        Double read = measured.readMs();
        return new StoreTimes(
                reservation, Math.min(reservation, measured.rowMs() / 1e3), read == null ? reservation : read / 1e3);
    }

    private static long atLeastOne(@Nullable Long number) {
        return number == null ? 1 : Math.max(1, number);
    }

    private static double rounded(double number) {
        return Math.round(number * 1000) / 1000.0;
    }
}
