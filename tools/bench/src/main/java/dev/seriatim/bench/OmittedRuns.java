// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench;

import dev.seriatim.bench.contender.RunPlan;
import dev.seriatim.cli.terminal.WrappedText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs that the store does not offer, with each reason once. Not thread-safe. */
final class OmittedRuns {

    /** Why runs of a scenario were left out. */
    private record Absence(String scenario, String reason) {}

    private final Map<Absence, Map<String, Set<String>>> absences = new LinkedHashMap<>();

    void add(RunPlan plan, String reason) {
        absences.computeIfAbsent(new Absence(plan.setting().scenario(), reason), absence -> new LinkedHashMap<>())
                .computeIfAbsent(plan.setting().experiment(), experiment -> new LinkedHashSet<>())
                .add(plan.title());
    }

    /** Returns lines for a terminal: each reason with its experiments and modes. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        absences.forEach((absence, experiments) -> {
            Map<Set<String>, List<String>> places = experiments.keySet().stream()
                    .collect(Collectors.groupingBy(
                            key -> experiments.getOrDefault(key, Set.of()), LinkedHashMap::new, Collectors.toList()));
            places.forEach((titles, where) -> {
                String place = Stream.concat(Stream.of(absence.scenario()), where.stream())
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.joining(", "));
                lines.addAll(WrappedText.lines(
                        (place.isEmpty() ? "" : place + ": ") + String.join("; ", titles)
                                + ": not offered by this store: " + absence.reason(),
                        2));
            });
            lines.add("");
        });
        return lines;
    }
}
