// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What rows with numbers of ours cost beside those that the database numbers itself. */
final class InsertsInWords {

    private static final int MOST_THREADS = 32;

    private InsertsInWords() {}

    static List<String> of(Trial trial) {
        List<String> said = new ArrayList<>();
        adaptive(trial).ifPresent(said::add);
        grouped(trial).ifPresent(said::add);
        return said;
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

    private static Optional<String> adaptive(Trial trial) {
        Map<Integer, Double> ratios = ratios(trial, "ADAPTIVE", "AUTO_INCREMENT");
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        Map.Entry<Integer, Double> smallest =
                ratios.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        double median = Numbers.median(ratios.values().stream().mapToDouble(Double::doubleValue));
        String counts = Numbers.counted(ratios.size(), "thread count");
        return Optional.of("Unique numbers, " + trial.experiment() + ": ADAPTIVE inserts "
                + Numbers.ratio(smallest.getValue()) + " of AUTO_INCREMENT's rows at worst (at "
                + Numbers.counted(smallest.getKey(), "thread") + "), " + Numbers.ratio(median) + " in the median of "
                + counts + published(trial) + slower(ratios) + ".");
    }

    /** The source's own ratio at the most threads, beside ours. */
    private static String published(Trial trial) {
        int threads = trial.mostThreads();
        Optional<Double> emulated = published(trial.find("EMULATED", threads));
        Optional<Double> automatic = published(trial.find("AUTO_INCREMENT", threads));
        if (emulated.isEmpty() || automatic.isEmpty()) {
            return "";
        }
        return "; the emulated sequence is published at " + Numbers.ratio(emulated.get() / automatic.get())
                + " of it at " + Numbers.counted(threads, "thread");
    }

    private static Optional<Double> published(Optional<Figures> run) {
        return run.map(Figures::published).map(Published::valuesPerSecond).filter(figure -> figure > 0);
    }

    private static String slower(Map<Integer, Double> ratios) {
        List<Integer> slower = ratios.entrySet().stream()
                .filter(ratio -> ratio.getValue() < 0.95)
                .map(Map.Entry::getKey)
                .toList();
        if (slower.isEmpty()) {
            return "";
        }
        String where = slower.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "; it loses by more than 5 % at " + where + (slower.equals(List.of(1)) ? " thread" : " threads");
    }

    private static Optional<String> grouped(Trial trial) {
        Map<Integer, Double> ratios = ratios(trial, "GROUPED", "EMULATED");
        return ratios.keySet().stream()
                .filter(threads -> threads <= MOST_THREADS)
                .max(Integer::compare)
                .map(threads -> {
                    double ratio = ratios.getOrDefault(threads, Double.NaN);
                    String times =
                            ratio >= 1 ? Numbers.ratio(ratio) + " times" : "only " + Numbers.ratio(ratio) + " of";
                    return "Gapless and ordered numbers, " + trial.experiment() + ": GROUPED inserts " + times
                            + " the rows of the emulated sequence in the transaction, at "
                            + Numbers.counted(threads, "thread") + ".";
                });
    }
}
