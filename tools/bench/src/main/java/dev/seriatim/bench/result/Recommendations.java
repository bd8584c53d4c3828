// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.cli.draw.Promise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recommended mode for each guarantee, for one kind of work. Immutable.
 *
 * @param notMeasured the modes that the store may offer and that were not measured
 */
record Recommendations(String work, List<Row> rows, List<DrawMode> notMeasured) {

    /** A guarantee and the run of the mode that is recommended for it; null, and a word for its absence, if there is none. */
    record Row(
            Promise need,
            @Nullable Figures best,
            String use,
            @Nullable String reason) {

        String words() {
            return switch (need) {
                case UNIQUE -> "unique numbers";
                case ORDERED -> "unique, in order";
                case GAPLESS -> "gapless, in order";
                case GAPLESS_UNORDERED -> "gapless, in any order";
            };
        }
    }

    /** Differences up to this count as noise: then a mode made for the need wins, and among those one without settings. */
    private static final double NOISE = 0.05;

    /** Returns a table for each scenario that answers the most needs, from its first experiment. */
    static List<Recommendations> of(Measurements measurements) {
        Map<String, Experiment> firsts = new LinkedHashMap<>();
        Experiment.of(measurements)
                .forEach(experiment -> firsts.putIfAbsent(experiment.scenario(), experiment.atTheMostThreads()));
        long most = firsts.values().stream()
                .mapToLong(Recommendations::answered)
                .max()
                .orElse(0);
        return firsts.values().stream()
                .filter(experiment -> answered(experiment) == most && most > 0)
                .map(experiment -> of(experiment, measurements.notOffered()))
                .toList();
    }

    private static long answered(Experiment experiment) {
        return Arrays.stream(Promise.values())
                .filter(need -> isMeasured(experiment, need))
                .count();
    }

    private static Recommendations of(Experiment experiment, List<NotOffered> notOffered) {
        List<Row> rows = new ArrayList<>();
        List<DrawMode> notMeasured = new ArrayList<>();
        for (Promise need : Promise.values()) {
            List<DrawMode> missing = modes(need)
                    .filter(mode -> experiment.runs().stream()
                                    .noneMatch(run -> run.mode().equals(mode.name()))
                            && reason(mode, experiment, notOffered).isEmpty())
                    .toList();
            rows.add(row(need, experiment, !missing.isEmpty(), notOffered));
            notMeasured.addAll(missing);
        }
        return new Recommendations(experiment.work(), rows, notMeasured);
    }

    private static Row row(Promise need, Experiment experiment, boolean missing, List<NotOffered> notOffered) {
        boolean measured = isMeasured(experiment, need);
        Optional<Figures> best = measured || !missing ? best(experiment, need) : Optional.empty();
        if (best.isPresent()) {
            return new Row(need, best.get(), best.get().mode(), null);
        }
        if (measured) {
            return new Row(need, null, "none", "broke its promise");
        }
        if (missing) {
            return new Row(need, null, "not measured", null);
        }
        Optional<String> reason = modes(need)
                .flatMap(mode -> reason(mode, experiment, notOffered).stream())
                .findFirst();
        return new Row(need, null, "not offered", reason.orElse(null));
    }

    /** Returns the fastest run that meets the need; at a fixed rate, the one with the shortest waits. */
    private static Optional<Figures> best(Experiment experiment, Promise need) {
        List<Figures> kept =
                experiment.runs().stream().filter(run -> isKept(need, run)).toList();
        ToDoubleFunction<Figures> merit = experiment.runs().get(0).arrivalsPerSecond() == null
                ? Figures::valuesPerSecond
                : run -> run.errors() > 0 ? 0 : 1 / run.p99Ms();
        double enough = kept.stream().mapToDouble(merit).max().orElse(0) * (1 - NOISE);
        return kept.stream()
                .filter(run -> merit.applyAsDouble(run) >= enough)
                .max(Comparator.<Figures, Boolean>comparing(run -> isMade(need, run))
                        .thenComparing(run -> run.batchSize() == null)
                        .thenComparingDouble(merit));
    }

    /** Returns the modes that promise exactly this. */
    private static Stream<DrawMode> modes(Promise need) {
        return Arrays.stream(DrawMode.values()).filter(mode -> mode.promise() == need);
    }

    private static boolean isMeasured(Experiment experiment, Promise need) {
        return experiment.runs().stream().anyMatch(run -> isMade(need, run));
    }

    /** Returns whether the mode of a run promises exactly this. */
    private static boolean isMade(Promise need, Figures run) {
        return modes(need).anyMatch(mode -> mode.name().equals(run.mode()));
    }

    /** Returns whether the numbers of a run meet the need, or more. */
    private static boolean isKept(Promise need, Figures run) {
        return isOurs(run.mode())
                && !run.broken()
                && run.valuesPerSecond() > 0
                && need.isKeptBy(run.orderViolations() != null, run.gaps() != null);
    }

    /** Returns whether it is the library's own way to make numbers; others are measured for comparison and never recommended. */
    static boolean isOurs(String mode) {
        return DrawMode.named(mode).isPresent() || mode.equals("STRIPED");
    }

    private static Optional<String> reason(DrawMode mode, Experiment experiment, List<NotOffered> notOffered) {
        return notOffered.stream()
                .filter(left ->
                        left.mode().equals(mode.name()) && left.scenario().equals(experiment.scenario()))
                .map(NotOffered::reason)
                .findFirst();
    }
}
