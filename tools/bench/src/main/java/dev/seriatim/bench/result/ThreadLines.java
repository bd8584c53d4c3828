// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import dev.seriatim.report.Look;
import dev.seriatim.report.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runs of an experiment as lines over threads: one per label, and a dashed one per published series. */
final class ThreadLines {

    private final Map<String, List<Series.Point>> points = new LinkedHashMap<>();
    private final Map<String, Look> looks = new LinkedHashMap<>();
    private final List<String> quoted = new ArrayList<>();

    private ThreadLines() {}

    /** Returns a plot of values per second. */
    static List<Series> throughput(Experiment experiment) {
        ThreadLines lines = new ThreadLines();
        experiment.runs().forEach(run -> lines.add(run.label(), run, run.valuesPerSecond(), false));
        experiment.runs().forEach(run -> lines.addPublished(run, theirs(run)));
        return lines.series();
    }

    /** Returns a plot of ratios to a base mode with the same number of threads; published figures to published ones. */
    static List<Series> ratios(Experiment experiment, String base) {
        ThreadLines lines = new ThreadLines();
        for (Figures run : experiment.runs()) {
            experiment
                    .find(base, run.threads())
                    .filter(one -> !run.mode().equals(base) && one.valuesPerSecond() > 0)
                    .ifPresent(
                            one -> lines.add(run.label(), run, run.valuesPerSecond() / one.valuesPerSecond(), false));
        }
        for (Figures run : experiment.runs()) {
            Double theirs = theirs(run);
            Double theirBase = experiment
                    .find(base, run.threads())
                    .map(ThreadLines::theirs)
                    .orElse(null);
            if (theirs != null
                    && theirBase != null
                    && theirBase > 0
                    && !run.mode().equals(base)) {
                lines.addPublished(run, theirs / theirBase);
            }
        }
        return lines.series();
    }

    /** Returns the name of a published series. */
    static String published(Published published) {
        return published.name() + " (published)";
    }

    private static @Nullable Double theirs(Figures run) {
        Published published = run.published();
        return published == null ? null : published.valuesPerSecond();
    }

    private void addPublished(Figures run, @Nullable Double figure) {
        Published published = run.published();
        if (published != null && figure != null) {
            add(published(published), run, figure, true);
        }
    }

    private void add(String name, Figures run, double figure, boolean theirs) {
        points.computeIfAbsent(name, key -> new ArrayList<>()).add(new Series.Point(run.threads(), figure));
        looks.putIfAbsent(name, ModeLook.of(run.mode()));
        if (theirs) {
            quoted.add(name);
        }
    }

    private List<Series> series() {
        List<Series> series = new ArrayList<>();
        points.forEach((name, line) ->
                series.add(new Series(name, looks.getOrDefault(name, ModeLook.of("")), quoted.contains(name), line)));
        return series;
    }
}
