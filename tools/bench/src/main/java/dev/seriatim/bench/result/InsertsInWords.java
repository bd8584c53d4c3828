// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Compares inserted rows with those that the database numbers itself. */
final class InsertsInWords {

    private static final int MOST_THREADS = 32;

    private InsertsInWords() {}

    /** Returns a sentence per comparison over all experiments. */
    static List<String> of(List<Experiment> experiments) {
        List<String> said = new ArrayList<>();
        add(
                said,
                "Rows of ADAPTIVE over those of AUTO_INCREMENT, median of thread counts",
                experiments,
                InsertsInWords::median);
        add(said, "There ADAPTIVE is more than 5 % slower", experiments, InsertsInWords::slower);
        add(said, "Rows of GROUPED over those of the emulated sequence", experiments, InsertsInWords::grouped);
        add(
                said,
                "Published: rows of the emulated sequence over those of AUTO_INCREMENT",
                experiments,
                InsertsInWords::published);
        return said;
    }

    private static void add(
            List<String> said,
            String what,
            List<Experiment> experiments,
            Function<Experiment, Optional<String>> ratio) {
        List<String> ratios = experiments.stream()
                .flatMap(experiment ->
                        ratio.apply(experiment).map(text -> text + " (" + experiment.name() + ")").stream())
                .toList();
        if (!ratios.isEmpty()) {
            said.add(what + ": " + String.join("; ", ratios) + ".");
        }
    }

    /** Returns the ratio of two modes by number of threads. */
    static Map<Integer, Double> ratios(Experiment experiment, String mode, String base) {
        Map<Integer, Double> ratios = new TreeMap<>();
        for (int threads : experiment.threads()) {
            Optional<Figures> ours = experiment.find(mode, threads);
            experiment
                    .find(base, threads)
                    .filter(theirs -> theirs.valuesPerSecond() > 0)
                    .ifPresent(theirs -> ours.ifPresent(
                            run -> ratios.put(threads, run.valuesPerSecond() / theirs.valuesPerSecond())));
        }
        return ratios;
    }

    private static Optional<String> median(Experiment experiment) {
        Map<Integer, Double> ratios = ratios(experiment, "ADAPTIVE", "AUTO_INCREMENT");
        return ratios.isEmpty()
                ? Optional.empty()
                : Optional.of(NumberFormats.ratio(
                        NumberFormats.median(ratios.values().stream().mapToDouble(Double::doubleValue))));
    }

    private static Optional<String> slower(Experiment experiment) {
        List<String> slower = ratios(experiment, "ADAPTIVE", "AUTO_INCREMENT").entrySet().stream()
                .filter(ratio -> ratio.getValue() < 0.95)
                .map(ratio -> NumberFormats.ratio(ratio.getValue()) + " with "
                        + NumberFormats.counted(ratio.getKey(), "thread"))
                .toList();
        return slower.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", slower));
    }

    private static Optional<String> grouped(Experiment experiment) {
        Map<Integer, Double> ratios = ratios(experiment, "GROUPED", "EMULATED");
        return ratios.keySet().stream()
                .filter(threads -> threads <= MOST_THREADS)
                .max(Integer::compare)
                .map(threads -> NumberFormats.ratio(ratios.getOrDefault(threads, Double.NaN)) + " with "
                        + NumberFormats.counted(threads, "thread"));
    }

    /** Returns the publication's own ratio at the most threads. */
    private static Optional<String> published(Experiment experiment) {
        int threads = experiment.mostThreads();
        Optional<Double> emulated = published(experiment.find("EMULATED", threads));
        Optional<Double> automatic = published(experiment.find("AUTO_INCREMENT", threads));
        return emulated.isEmpty() || automatic.isEmpty()
                ? Optional.empty()
                : Optional.of(NumberFormats.ratio(emulated.get() / automatic.get()) + " with "
                        + NumberFormats.counted(threads, "thread"));
    }

    private static Optional<Double> published(Optional<Figures> run) {
        return run.map(Figures::published).map(Published::valuesPerSecond).filter(figure -> figure > 0);
    }
}
