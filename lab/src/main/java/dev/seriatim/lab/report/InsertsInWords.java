// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** What rows with numbers of ours cost beside those that the database numbers itself. */
final class InsertsInWords {

    private static final int MOST_THREADS = 32;

    private InsertsInWords() {}

    /** What the experiments have in common, in a sentence for each comparison. */
    static List<String> of(List<Trial> trials) {
        List<String> said = new ArrayList<>();
        add(
                said,
                "Rows of ADAPTIVE over those of AUTO_INCREMENT, median of thread counts",
                trials,
                InsertsInWords::median);
        add(said, "There ADAPTIVE is more than 5 % slower", trials, InsertsInWords::slower);
        add(said, "Rows of GROUPED over those of the emulated sequence", trials, InsertsInWords::grouped);
        add(
                said,
                "Published: rows of the emulated sequence over those of AUTO_INCREMENT",
                trials,
                InsertsInWords::published);
        return said;
    }

    private static void add(
            List<String> said, String what, List<Trial> trials, Function<Trial, Optional<String>> ratio) {
        List<String> ratios = trials.stream()
                .flatMap(trial -> ratio.apply(trial).map(text -> text + " (" + trial.experiment() + ")").stream())
                .toList();
        if (!ratios.isEmpty()) {
            said.add(what + ": " + String.join("; ", ratios) + ".");
        }
    }

    /** The ratio of two modes by threads, where both ran. */
    static Map<Integer, Double> ratios(Trial trial, String mode, String base) {
        Map<Integer, Double> ratios = new TreeMap<>();
        for (int threads : trial.threads()) {
            Optional<Figures> ours = trial.find(mode, threads);
            trial.find(base, threads)
                    .filter(theirs -> theirs.valuesPerSecond() > 0)
                    .ifPresent(theirs -> ours.ifPresent(
                            run -> ratios.put(threads, run.valuesPerSecond() / theirs.valuesPerSecond())));
        }
        return ratios;
    }

    private static Optional<String> median(Trial trial) {
        Map<Integer, Double> ratios = ratios(trial, "ADAPTIVE", "AUTO_INCREMENT");
        return ratios.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Numbers.ratio(Numbers.median(ratios.values().stream().mapToDouble(Double::doubleValue))));
    }

    private static Optional<String> slower(Trial trial) {
        List<String> slower = ratios(trial, "ADAPTIVE", "AUTO_INCREMENT").entrySet().stream()
                .filter(ratio -> ratio.getValue() < 0.95)
                .map(ratio -> Numbers.ratio(ratio.getValue()) + " with " + Numbers.counted(ratio.getKey(), "thread"))
                .toList();
        return slower.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", slower));
    }

    private static Optional<String> grouped(Trial trial) {
        Map<Integer, Double> ratios = ratios(trial, "GROUPED", "EMULATED");
        return ratios.keySet().stream()
                .filter(threads -> threads <= MOST_THREADS)
                .max(Integer::compare)
                .map(threads -> Numbers.ratio(ratios.getOrDefault(threads, Double.NaN)) + " with "
                        + Numbers.counted(threads, "thread"));
    }

    /** The source's own ratio at the most threads. */
    private static Optional<String> published(Trial trial) {
        int threads = trial.mostThreads();
        Optional<Double> emulated = published(trial.find("EMULATED", threads));
        Optional<Double> automatic = published(trial.find("AUTO_INCREMENT", threads));
        return emulated.isEmpty() || automatic.isEmpty()
                ? Optional.empty()
                : Optional.of(Numbers.ratio(emulated.get() / automatic.get()) + " with "
                        + Numbers.counted(threads, "thread"));
    }

    private static Optional<Double> published(Optional<Figures> run) {
        return run.map(Figures::published).map(Published::valuesPerSecond).filter(figure -> figure > 0);
    }
}
