// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The answer to 'what do I use?', in sentences. Thread-safe. */
public final class SummaryInWords {

    private SummaryInWords() {}

    /** Plain sentences, the most important first; of what was measured only, and also of where a mode loses. */
    public static List<String> of(Measurements measurements) {
        List<String> said = new ArrayList<>();
        if (measurements.runs().isEmpty()) {
            said.add("Nothing was measured.");
        }
        if (measurements.runs().stream().anyMatch(Checks::broken)) {
            said.add("Promises were broken, so do not rely on these modes here. " + Checks.inOneLine(measurements));
        }
        List<Trial> trials = Trial.of(measurements);
        for (Trial trial : trials) {
            switch (trial.scenario()) {
                case "mariadb" -> said.addAll(InsertsInWords.of(trial));
                case "dsql" -> said.addAll(TimesInWords.of(trial));
                case "couchbase" -> {} // its experiments are compared with each other
                case "open-loop" -> said.addAll(GuaranteesInWords.ofArrivals(trial));
                default -> said.addAll(GuaranteesInWords.of(trial));
            }
        }
        said.addAll(CountersInWords.of(trials.stream()
                .filter(trial -> trial.scenario().equals("couchbase"))
                .toList()));
        return List.copyOf(said);
    }

    /** A word with a capital letter, to begin a sentence with. */
    static String begun(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
