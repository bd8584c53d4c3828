// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The runs of one experiment, at least one, in the order of measurement. Its name is empty if the scenario has only one. */
record Experiment(String scenario, String name, List<Figures> runs) {

    /** Returns all experiments, in the order of their first runs. */
    static List<Experiment> of(Measurements measurements) {
        return measurements.runs().stream()
                .collect(Collectors.groupingBy(
                        run -> List.of(run.scenario(), run.experiment()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(runs -> new Experiment(runs.get(0).scenario(), runs.get(0).experiment(), runs))
                .toList();
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
        Double other = runs.stream()
                .filter(each -> each.mode().equals(base) && each.threads() == run.threads())
                .findFirst()
                .map(figure)
                .orElse(null);
        return its != null && its > 0 && other != null && other > 0 ? its / other : null;
    }

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

    String transaction() {
        int rows = runs.get(0).rowsPerTransaction();
        if (rows > 0) {
            return "a transaction that inserts " + Value.counted(rows, "row");
        }
        double latency = runs.get(0).appLatencyMs();
        if (runs.stream().anyMatch(run -> run.appLatencyMs() != latency)) {
            return "a transaction";
        }
        return latency > 0 ? "a transaction of " + Value.millis(latency) : "a transaction that does nothing";
    }
}
