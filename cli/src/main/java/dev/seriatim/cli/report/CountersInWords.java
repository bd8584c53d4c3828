// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How far one counter goes from one process and from several, and what goes further. */
final class CountersInWords {

    private CountersInWords() {}

    static List<String> of(List<Trial> trials) {
        List<String> said = new ArrayList<>();
        List<String> single = new ArrayList<>();
        for (Trial trial : trials) {
            trial.find("ASYNC").ifPresent(run -> single.add(rate(run) + " from " + trial.experiment() + theirs(run)));
        }
        if (!single.isEmpty()) {
            said.add("Single increments of one counter: " + String.join(", and ", single) + ".");
        }
        for (Trial trial : trials) {
            trial.find("ASYNC").filter(base -> base.valuesPerSecond() > 0).ifPresent(base -> {
                List<String> others = new ArrayList<>();
                against(trial, base, "STRIPED", "striped over 4 counters").ifPresent(others::add);
                against(trial, base, "ADAPTIVE", "by ADAPTIVE").ifPresent(others::add);
                if (!others.isEmpty()) {
                    said.add("From " + trial.experiment() + ", numbers come at " + String.join(", and at ", others)
                            + ".");
                }
            });
        }
        return said;
    }

    private static String rate(Figures run) {
        return Numbers.threeDigits(run.valuesPerSecond()) + "/s";
    }

    private static String theirs(Figures run) {
        Double ratio = run.publishedRatio();
        return ratio == null ? "" : " (" + Numbers.ratio(ratio) + " of the published figure)";
    }

    private static Optional<String> against(Trial trial, Figures base, String mode, String words) {
        return trial.find(mode).map(run -> {
            double ratio = run.valuesPerSecond() / base.valuesPerSecond();
            return rate(run) + " " + words + ", " + (ratio < 1 ? "only " : "") + Numbers.ratio(ratio)
                    + " times what single increments do";
        });
    }
}
