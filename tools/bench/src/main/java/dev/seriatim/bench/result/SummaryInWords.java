// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Findings besides the recommendations, in short sentences. Thread-safe. */
public final class SummaryInWords {

    private SummaryInWords() {}

    /** Returns findings, the most important first, including those where a mode is slower. */
    public static List<String> of(Measurements measurements) {
        return findings(measurements).stream().map(Insight::text).toList();
    }

    /** Returns the result of all checks in one sentence. */
    public static String ofChecks(Measurements measurements) {
        return Checks.inOneLine(measurements);
    }

    static List<Insight> findings(Measurements measurements) {
        List<Insight> found = new ArrayList<>();
        if (measurements.runs().isEmpty()) {
            found.add(new Insight("Nothing was measured."));
        }
        if (measurements.runs().stream().anyMatch(Checks::broken)) {
            found.add(new Insight(
                    "Promises were broken, so do not rely on these modes here. " + Checks.inOneLine(measurements)));
        }
        Map<String, List<Experiment>> scenarios = Experiment.of(measurements).stream()
                .collect(Collectors.groupingBy(Experiment::scenario, LinkedHashMap::new, Collectors.toList()));
        scenarios.forEach((scenario, experiments) -> sentences(scenario, experiments)
                .forEach(sentence -> found.add(new Insight(
                        sentence,
                        experiments.stream()
                                .flatMap(experiment -> Publication.of(experiment).stream())
                                .findFirst()))));
        return List.copyOf(found);
    }

    private static List<String> sentences(String scenario, List<Experiment> experiments) {
        return switch (scenario) {
            case "mariadb" -> InsertsInWords.of(experiments);
            case "dsql" -> TimesInWords.of(experiments);
            case "couchbase" -> CountersInWords.of(experiments);
            case "open-loop" ->
                each(experiments.stream().map(GuaranteesInWords::ofArrivals).toList());
            default -> each(experiments.stream().map(GuaranteesInWords::of).toList());
        };
    }

    private static List<String> each(Collection<List<String>> said) {
        return said.stream().flatMap(List::stream).toList();
    }

    /** Capitalizes the first word of a sentence. */
    static String begun(String words) {
        return words.isEmpty() ? words : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
