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
            trial.find("ASYNC").ifPresent(base -> {
                against(trial, base, "STRIPED", "striping over 4 counters").ifPresent(said::add);
                against(trial, base, "ADAPTIVE", "ADAPTIVE").ifPresent(said::add);
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
        return trial.find(mode).filter(run -> base.valuesPerSecond() > 0).map(run -> {
            double ratio = run.valuesPerSecond() / base.valuesPerSecond();
            String times = ratio >= 1
                    ? Numbers.ratio(ratio) + " times what single increments do"
                    : "only " + Numbers.ratio(ratio) + " of what single increments do";
            return "From " + trial.experiment() + ", " + words + " deals " + rate(run) + ", " + times + ".";
        });
    }
}
