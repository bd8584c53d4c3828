// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

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

    /** Returns the fastest run that matches. */
    Optional<Figures> best(Predicate<Figures> which) {
        return runs.stream().filter(which).max(Comparator.comparingDouble(Figures::valuesPerSecond));
    }

    /** Returns the run of a mode with this number of threads. */
    Optional<Figures> find(String mode, int threads) {
        return runs.stream()
                .filter(run -> run.mode().equals(mode) && run.threads() == threads)
                .findFirst();
    }

    Optional<Figures> find(String mode) {
        return runs.stream().filter(run -> run.mode().equals(mode)).findFirst();
    }
}
