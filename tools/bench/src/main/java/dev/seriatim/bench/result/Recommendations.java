// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.cli.draw.DrawMode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recommended mode for each need, for one kind of work. Immutable.
 *
 * @param work the work of the clients
 * @param rows a row per need
 * @param notMeasured the modes that the store may offer and that were not measured
 * @param command the command that measures them with the same settings; empty if there are none
 */
record Recommendations(String work, List<Row> rows, List<DrawMode> notMeasured, String command) {

    /**
     * A need and the mode that is recommended for it.
     *
     * @param best the run of that mode; null if there is none
     * @param use the mode, or a word for its absence
     * @param reason the reason for its absence, if known
     */
    record Row(
            Need need,
            @Nullable Figures best,
            String use,
            @Nullable String reason) {}

    /** Differences up to this count as noise: then a mode made for the need wins, and among those one without settings. */
    private static final double NOISE = 0.05;

    /** The option of a command, with its value quoted for a shell. */
    private static final Pattern STORE = Pattern.compile("--store[= ](?:'(?:[^']++|'\\\\'')*+'|\\S+)");

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
                .map(experiment -> of(experiment, measurements))
                .toList();
    }

    private static long answered(Experiment experiment) {
        return Arrays.stream(Need.values())
                .filter(need -> experiment.runs().stream().anyMatch(need::isMeasuredBy))
                .count();
    }

    private static Recommendations of(Experiment experiment, Measurements measurements) {
        List<DrawMode> missing = Arrays.stream(Need.values())
                .flatMap(need -> missing(need, experiment, measurements))
                .toList();
        return new Recommendations(
                experiment.work(),
                Arrays.stream(Need.values())
                        .map(need -> row(need, experiment, measurements))
                        .toList(),
                missing,
                missing.isEmpty() ? "" : command(measurements, experiment, missing));
    }

    private static Row row(Need need, Experiment experiment, Measurements measurements) {
        boolean measured = experiment.runs().stream().anyMatch(need::isMeasuredBy);
        boolean missing = missing(need, experiment, measurements).findAny().isPresent();
        Optional<Figures> best = measured || !missing ? best(experiment, need) : Optional.empty();
        if (best.isPresent()) {
            return new Row(need, best.get(), best.get().mode(), null);
        }
        if (measured) {
            return new Row(need, null, "none", "broke its promise");
        }
        return missing
                ? new Row(need, null, "not measured", null)
                : new Row(
                        need,
                        null,
                        "not offered",
                        need.modes().stream()
                                .flatMap(mode -> notOffered(mode, experiment, measurements))
                                .map(NotOffered::reason)
                                .findFirst()
                                .orElse(null));
    }

    /** Returns the fastest run that meets the need; at a fixed rate, the one with the shortest waits. */
    private static Optional<Figures> best(Experiment experiment, Need need) {
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

    private static Stream<DrawMode> missing(Need need, Experiment experiment, Measurements measurements) {
        return need.modes().stream()
                .filter(mode -> experiment.runs().stream()
                                .noneMatch(run -> run.mode().equals(mode.name()))
                        && notOffered(mode, experiment, measurements).findAny().isEmpty());
    }

    private static Stream<NotOffered> notOffered(DrawMode mode, Experiment experiment, Measurements measurements) {
        return measurements.notOffered().stream()
                .filter(left ->
                        left.mode().equals(mode.name()) && left.scenario().equals(experiment.scenario()));
    }

    /** Returns a command with the store, threads and work of the experiment, without output files. */
    private static String command(Measurements measurements, Experiment experiment, List<DrawMode> modes) {
        Figures like = experiment.runs().get(0);
        StringBuilder command = new StringBuilder("seriatim bench");
        Matcher store = STORE.matcher(measurements.command());
        if (store.find()) {
            command.append(' ').append(store.group());
        }
        command.append(" --mode ").append(modes.stream().map(DrawMode::name).collect(Collectors.joining(",")));
        command.append(" --threads ").append(like.threads());
        Double rate = like.arrivalsPerSecond();
        if (rate != null) {
            command.append(" --rate ").append(plain(rate)).append("/s");
        } else if (like.appLatencyMs() != 10) { // the option's default
            command.append(" --app-latency ").append(micros(like.appLatencyMs()));
        }
        return command.append(like.rowsPerTransaction() > 0 ? " --insert-rows" : "")
                .toString();
    }

    private static String micros(double millis) {
        return millis == Math.rint(millis) ? plain(millis) + "ms" : plain(Math.rint(millis * 1000)) + "us";
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
