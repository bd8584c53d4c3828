// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two measurements side by side. Immutable.
 *
 * @param pairs runs in both, in the order of the first
 * @param onlyFirst runs only in the first
 * @param onlySecond runs only in the second
 * @param differences other differences, in words
 */
record Comparison(List<Pair> pairs, List<Figures> onlyFirst, List<Figures> onlySecond, List<String> differences) {

    /** A run in both measurements. */
    record Pair(Figures first, Figures second) {

        /** Returns the second's values per second over the first's; null if the first drew none. */
        @Nullable
        Double valuesRatio() {
            return ratio(first.valuesPerSecond(), second.valuesPerSecond());
        }

        /** Returns the same ratio of the p99 latency. */
        @Nullable
        Double p99Ratio() {
            return ratio(first.p99Ms(), second.p99Ms());
        }

        private static @Nullable Double ratio(double first, double second) {
            return first > 0 && second > 0 ? second / first : null;
        }
    }

    /** Identifies a run. */
    private record Key(String scenario, String experiment, String label, int threads, int processes) {
        static Key of(Figures run) {
            return new Key(run.scenario(), run.experiment(), run.label(), run.threads(), run.processes());
        }
    }

    static Comparison of(Measurements first, Measurements second) {
        Map<Key, Deque<Figures>> others = new LinkedHashMap<>();
        second.runs()
                .forEach(run -> others.computeIfAbsent(Key.of(run), key -> new ArrayDeque<>())
                        .add(run));
        List<Pair> pairs = new ArrayList<>();
        List<Figures> alone = new ArrayList<>();
        for (Figures run : first.runs()) {
            Figures other = others.getOrDefault(Key.of(run), new ArrayDeque<>()).poll();
            if (other == null) {
                alone.add(run);
            } else {
                pairs.add(new Pair(run, other));
            }
        }
        List<Figures> rest = others.values().stream().flatMap(Deque::stream).toList();
        return new Comparison(pairs, alone, rest, differences(first, second));
    }

    /** Returns the geometric mean of the ratios of values per second; null if there are none. */
    @Nullable
    Double meanRatio() {
        double[] ratios = pairs.stream()
                .map(Pair::valuesRatio)
                .filter(ratio -> ratio != null)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return ratios.length == 0 ? null : NumberFormats.geometricMean(ratios);
    }

    private static List<String> differences(Measurements first, Measurements second) {
        List<String> differences = new ArrayList<>();
        difference(differences, "engine", first.engine(), second.engine());
        List<String> names = new ArrayList<>(first.settings().keySet());
        second.settings().keySet().stream()
                .filter(name -> !names.contains(name))
                .forEach(names::add);
        for (String name : names) {
            difference(
                    differences,
                    name,
                    first.settings().getOrDefault(name, "not given"),
                    second.settings().getOrDefault(name, "not given"));
        }
        difference(differences, "cores", "" + first.cores(), "" + second.cores());
        return differences;
    }

    private static void difference(List<String> differences, String what, String first, String second) {
        if (!first.equals(second)) {
            differences.add(what + " " + said(first) + " against " + said(second));
        }
    }

    private static String said(String value) {
        return value.isEmpty() ? "unknown" : value;
    }
}
