// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The recommended mode for each need, for one kind of work. Immutable.
 *
 * @param work what the clients did
 * @param rows one row per need
 * @param notMeasured modes that were not measured and no row names, and the command that measures them
 */
public record Recommendations(String work, List<Recommendation> rows, Optional<NotMeasured> notMeasured) {

    /**
     * Modes that were not measured.
     *
     * @param modes their names
     * @param command the command that measures them
     */
    public record NotMeasured(List<String> modes, String command) {}

    /** Differences up to this count as noise: then a mode made for the need wins, and among those one without settings. */
    private static final double NOISE = 0.05;

    /** Returns a table for each scenario that answers the most needs, from its first experiment. */
    public static List<Recommendations> of(Measurements measurements) {
        Map<String, Experiment> firsts = new LinkedHashMap<>();
        Experiment.of(measurements)
                .forEach(experiment -> firsts.putIfAbsent(experiment.scenario(), atTheMostThreads(experiment)));
        long most = firsts.values().stream()
                .mapToLong(Recommendations::answered)
                .max()
                .orElse(0);
        return firsts.values().stream()
                .filter(experiment -> answered(experiment) == most && most > 0)
                .map(experiment -> of(experiment, measurements))
                .toList();
    }

    /** Returns the fastest run that meets the need; at a fixed rate, the one with the shortest waits. */
    static Optional<Figures> best(Experiment experiment, Need need) {
        List<Figures> kept = experiment.runs().stream().filter(need::isKeptBy).toList();
        ToDoubleFunction<Figures> merit = experiment.runs().get(0).arrivalsPerSecond() == null
                ? Figures::valuesPerSecond
                : run -> run.errors() > 0 ? 0 : 1 / run.p99Ms();
        double enough = kept.stream().mapToDouble(merit).max().orElse(0) * (1 - NOISE);
        return kept.stream()
                .filter(run -> merit.applyAsDouble(run) >= enough)
                .max(Comparator.<Figures, Boolean>comparing(need::isMeasuredBy)
                        .thenComparing(run -> run.batchSize() == null)
                        .thenComparingDouble(merit));
    }

    static Experiment atTheMostThreads(Experiment experiment) {
        return new Experiment(experiment.scenario(), experiment.name(), experiment.at(experiment.mostThreads()));
    }

    private static long answered(Experiment experiment) {
        return Arrays.stream(Need.values())
                .filter(need -> experiment.runs().stream().anyMatch(need::isMeasuredBy))
                .count();
    }

    private static Recommendations of(Experiment experiment, Measurements measurements) {
        List<Recommendation> rows = new ArrayList<>();
        List<DrawMode> missing = new ArrayList<>();
        for (Need need : Need.values()) {
            rows.add(row(need, experiment, measurements));
            if (rows.get(rows.size() - 1).command().isEmpty()) {
                need.modes().stream()
                        .filter(mode -> isMissing(mode, experiment, measurements))
                        .forEach(missing::add);
            }
        }
        return new Recommendations(
                WorkInWords.inShort(experiment),
                rows,
                missing.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new NotMeasured(
                                missing.stream().map(DrawMode::name).toList(),
                                MeasuringCommand.of(measurements, experiment, missing))));
    }

    private static Recommendation row(Need need, Experiment experiment, Measurements measurements) {
        boolean measured = experiment.runs().stream().anyMatch(need::isMeasuredBy);
        List<DrawMode> missing = need.modes().stream()
                .filter(mode -> isMissing(mode, experiment, measurements))
                .toList();
        Optional<Figures> best = measured || missing.isEmpty() ? best(experiment, need) : Optional.empty();
        if (best.isPresent()) {
            return new Recommendation(
                    need.words(), need.detail(), true, best.get().mode(), Cost.of(best.get()), "");
        }
        if (!measured && !missing.isEmpty()) {
            String command = MeasuringCommand.of(measurements, experiment, missing);
            return new Recommendation(need.words(), need.detail(), false, "not measured", "measure it:", command);
        }
        String reason = measured
                ? "no mode that was measured for it kept its promise"
                : leftOut(need, experiment, measurements)
                        .map(NotOffered::reason)
                        .orElse("not offered by this store");
        return new Recommendation(need.words(), need.detail(), false, measured ? "nothing" : "not offered", reason, "");
    }

    private static boolean isMissing(DrawMode mode, Experiment experiment, Measurements measurements) {
        return experiment.runs().stream().noneMatch(run -> run.mode().equals(mode.name()))
                && leftOut(mode, experiment, measurements).isEmpty();
    }

    private static Optional<NotOffered> leftOut(Need need, Experiment experiment, Measurements measurements) {
        return need.modes().stream()
                .flatMap(mode -> leftOut(mode, experiment, measurements).stream())
                .findFirst();
    }

    private static Optional<NotOffered> leftOut(DrawMode mode, Experiment experiment, Measurements measurements) {
        return measurements.notOffered().stream()
                .filter(left ->
                        left.mode().equals(mode.name()) && left.scenario().equals(experiment.scenario()))
                .findFirst();
    }
}
