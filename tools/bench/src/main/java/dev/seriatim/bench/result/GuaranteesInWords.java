// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares the recommended modes with published figures and with their limits. */
final class GuaranteesInWords {

    private GuaranteesInWords() {}

    /** Returns sentences about published figures, about limits, and about modes slower than published. */
    static List<String> of(Experiment experiment) {
        Experiment most = Recommendations.atTheMostThreads(experiment);
        Set<String> overPublished = new LinkedHashSet<>();
        Set<String> ofLimit = new LinkedHashSet<>();
        for (Need need : Need.values()) {
            Optional<Figures> best = Recommendations.best(most, need);
            best.flatMap(run -> overPublished(most, need, run)).ifPresent(overPublished::add);
            best.flatMap(GuaranteesInWords::ofLimit).ifPresent(ofLimit::add);
        }
        String threads = " with " + NumberFormats.counted(most.mostThreads(), "thread");
        List<String> said = new ArrayList<>();
        if (!overPublished.isEmpty()) {
            said.add("Compared with the published figures" + threads + ": " + String.join(", ", overPublished) + ".");
        }
        if (!ofLimit.isEmpty()) {
            said.add("Share of the limit" + threads + ": " + String.join(", ", ofLimit) + ".");
        }
        behind(experiment).ifPresent(said::add);
        return said;
    }

    /** Compares with the best published figure for the same guarantee. */
    private static Optional<String> overPublished(Experiment most, Need need, Figures best) {
        return most.runs().stream()
                .filter(run -> published(run) > 0 && need.isKeptBy(run))
                .max(Comparator.comparingDouble(GuaranteesInWords::published))
                .map(theirs -> best.mode() + " " + NumberFormats.ratio(best.valuesPerSecond() / published(theirs))
                        + " times " + theirs.mode());
    }

    private static double published(Figures run) {
        Published published = run.published();
        Double figure = published == null ? null : published.valuesPerSecond();
        return figure == null ? 0 : figure;
    }

    private static Optional<String> ofLimit(Figures best) {
        Double ratio = best.limitRatio();
        return ratio == null || !Double.isFinite(ratio) || ratio <= 0
                ? Optional.empty()
                : Optional.of(best.mode() + " " + NumberFormats.ratio(ratio));
    }

    private static Optional<String> behind(Experiment experiment) {
        List<String> behind = new ArrayList<>();
        for (Figures run : experiment.runs()) {
            Double ratio = run.publishedRatio();
            if (ratio != null && ratio < 0.995) {
                behind.add(run.mode() + " with " + NumberFormats.counted(run.threads(), "thread") + " ("
                        + NumberFormats.ratio(ratio) + ")");
            }
        }
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("Slower than published for the same mode: " + String.join(", ", behind) + ".");
    }

    /** At a fixed rate, compares the waits. */
    static List<String> ofArrivals(Experiment experiment) {
        return Recommendations.best(experiment, Need.UNIQUE_NUMBERS)
                .filter(run -> run.errors() == 0)
                .map(run -> run.mode() + " serves 99 % within " + NumberFormats.time(run.p99Ms()) + ", and all within "
                        + NumberFormats.time(run.maxMs()) + ".")
                .map(List::of)
                .orElse(List.of());
    }
}
