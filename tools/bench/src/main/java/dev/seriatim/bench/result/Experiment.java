// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one experiment, which may be compared with each other. Immutable.
 *
 * @param scenario the scenario that it is part of
 * @param name its name; empty if the scenario has only one
 * @param runs its runs in the order of measurement, at least one
 */
record Experiment(String scenario, String name, List<Figures> runs) {

    /** Returns all experiments, in the order of their first runs. */
    static List<Experiment> of(Measurements measurements) {
        Map<List<String>, List<Figures>> groups = new LinkedHashMap<>();
        for (Figures run : measurements.runs()) {
            groups.computeIfAbsent(List.of(run.scenario(), run.experiment()), key -> new ArrayList<>())
                    .add(run);
        }
        List<Experiment> experiments = new ArrayList<>();
        groups.forEach((key, runs) -> experiments.add(new Experiment(key.get(0), key.get(1), List.copyOf(runs))));
        return experiments;
    }

    List<Integer> threads() {
        return runs.stream().map(Figures::threads).distinct().sorted().toList();
    }

    int mostThreads() {
        return runs.stream().mapToInt(Figures::threads).max().orElse(0);
    }

    List<Figures> at(int threads) {
        return runs.stream().filter(run -> run.threads() == threads).toList();
    }

    /** Returns the same experiment with the runs of the most threads only. */
    Experiment atTheMostThreads() {
        return new Experiment(scenario, name, at(mostThreads()));
    }

    List<Figures> othersThan(String mode) {
        return runs.stream().filter(run -> !run.mode().equals(mode)).toList();
    }

    /** Returns a figure of a run over that of a mode with the same number of threads; null if either is missing. */
    @Nullable
    Double ratio(Figures run, String base, Function<Figures, @Nullable Double> figure) {
        Double its = figure.apply(run);
        return runs.stream()
                .filter(other -> other.mode().equals(base) && other.threads() == run.threads())
                .findFirst()
                .map(figure)
                .filter(other -> its != null && its > 0 && other > 0)
                .map(other -> Objects.requireNonNull(its) / other)
                .orElse(null);
    }

    /** Describes the work of the clients. */
    String work() {
        Figures first = runs.get(0);
        Double rate = first.arrivalsPerSecond();
        if (rate != null) {
            return Value.threeDigits(rate) + " arrivals/s";
        }
        String threads = Value.counted(first.threads(), "thread");
        return first.rowsPerTransaction() > 0 || name.isEmpty()
                ? threads + ", a number for " + transaction()
                : name + ", " + threads;
    }

    /** Describes the transaction that each number is drawn for. */
    String transaction() {
        int rows = runs.get(0).rowsPerTransaction();
        if (rows > 0) {
            return "a transaction that inserts " + Value.counted(rows, "row");
        }
        List<Double> latencies =
                runs.stream().map(Figures::appLatencyMs).distinct().toList();
        if (latencies.size() > 1) {
            return "a transaction";
        }
        return latencies.get(0) > 0
                ? "a transaction of " + Value.millis(latencies.get(0))
                : "a transaction that does nothing";
    }
}
