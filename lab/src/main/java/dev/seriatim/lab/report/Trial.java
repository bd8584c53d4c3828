// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

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
 * @param scenario which scenario it is part of
 * @param experiment its name; empty where the scenario has one only
 * @param runs its runs, at least one, as they were measured
 */
record Trial(String scenario, String experiment, List<Figures> runs) {

    /** All of them, in the order of their first runs. */
    static List<Trial> of(Measurements measurements) {
        Map<List<String>, List<Figures>> groups = new LinkedHashMap<>();
        for (Figures run : measurements.runs()) {
            groups.computeIfAbsent(List.of(run.scenario(), run.experiment()), key -> new ArrayList<>())
                    .add(run);
        }
        List<Trial> trials = new ArrayList<>();
        groups.forEach((key, runs) -> trials.add(new Trial(key.get(0), key.get(1), List.copyOf(runs))));
        return trials;
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

    /** The fastest of those. */
    Optional<Figures> best(Predicate<Figures> which) {
        return runs.stream().filter(which).max(Comparator.comparingDouble(Figures::valuesPerSecond));
    }

    /** What this mode did with so many threads. */
    Optional<Figures> find(String mode, int threads) {
        return runs.stream()
                .filter(run -> run.mode().equals(mode) && run.threads() == threads)
                .findFirst();
    }

    Optional<Figures> find(String mode) {
        return runs.stream().filter(run -> run.mode().equals(mode)).findFirst();
    }
}
