// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Findings on one counter with one process and with several, and on faster alternatives. */
final class CountersInWords {

    private CountersInWords() {}

    static List<String> of(List<Experiment> experiments) {
        List<String> said = new ArrayList<>();
        List<String> single = new ArrayList<>();
        for (Experiment experiment : experiments) {
            experiment
                    .find("ASYNC")
                    .ifPresent(run -> single.add(rate(run) + " from " + experiment.name() + theirs(run)));
        }
        if (!single.isEmpty()) {
            said.add("Single increments of one counter: " + String.join(", and ", single) + ".");
        }
        against(experiments, "STRIPED")
                .ifPresent(others -> said.add("Striped over 4 counters, compared with that: " + others));
        against(experiments, "ADAPTIVE").ifPresent(others -> said.add("ADAPTIVE, compared with that: " + others));
        return said;
    }

    private static String rate(Figures run) {
        return NumberFormats.threeDigits(run.valuesPerSecond()) + "/s";
    }

    private static String theirs(Figures run) {
        Double ratio = run.publishedRatio();
        return ratio == null ? "" : " (" + NumberFormats.ratio(ratio) + " times the published figure)";
    }

    private static Optional<String> against(List<Experiment> experiments, String mode) {
        List<String> ratios = new ArrayList<>();
        for (Experiment experiment : experiments) {
            experiment
                    .find("ASYNC")
                    .filter(base -> base.valuesPerSecond() > 0)
                    .ifPresent(base -> experiment
                            .find(mode)
                            .ifPresent(run ->
                                    ratios.add(NumberFormats.ratio(run.valuesPerSecond() / base.valuesPerSecond())
                                            + " times from " + experiment.name())));
        }
        return ratios.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", ratios) + ".");
    }
}
