// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.report.Finding.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The faults of what generates numbers in a database.
 *
 * @param inventory what was read
 * @param outlooks what generates numbers, and the share that is used
 * @param findings what is wrong, the worst first; no notes
 * @param notes what is worth knowing
 * @param at when the database was read
 * @param took how long that took
 */
public record Diagnosis(
        Inventory inventory,
        List<Outlook> outlooks,
        List<InspectionFinding> findings,
        List<InspectionFinding> notes,
        Instant at,
        Duration took) {

    /**
     * The state of a source.
     *
     * @param end the day on which it runs out at its pace so far, if a history says so
     */
    public record Outlook(NumberSource source, Optional<LocalDate> end) {}

    /** Applies every rule. What the engine's own rules have found comes first, and is not found again. */
    public static Diagnosis of(Facts facts, Instant at, Duration took) {
        List<NumberSource> sources = facts.inventory().sources();
        List<InspectionFinding> all = new ArrayList<>(facts.inventory().findings());
        NumberRules numbers = new NumberRules(facts, all);
        DefinitionRules definitions = new DefinitionRules(facts, all);
        List<Consumer<NumberSource>> rules = List.of(
                numbers::behind,
                numbers::range,
                numbers::exactDoubles,
                definitions::cycles,
                definitions::caches,
                definitions::hibernatesIncrement,
                definitions::unowned);
        rules.forEach(sources::forEach);
        definitions.twice();
        Set<List<Object>> seen = new HashSet<>();
        all.removeIf(finding -> !isNote(finding) && !seen.add(List.of(finding.fault(), finding.subject())));
        return new Diagnosis(
                facts.inventory(),
                sources.stream().map(source -> outlook(source, facts)).toList(),
                all.stream()
                        .filter(finding -> !isNote(finding))
                        .sorted(Comparator.comparing(finding -> finding.fault().level()))
                        .toList(),
                all.stream().filter(Diagnosis::isNote).toList(),
                at,
                took);
    }

    private static Outlook outlook(NumberSource source, Facts facts) {
        Optional<LocalDate> end = source.exhausted() || source.cycle()
                ? Optional.empty()
                : facts.forecast().reaches(source, source.nearestEnd());
        return new Outlook(source, end);
    }

    private static boolean isNote(InspectionFinding finding) {
        return finding.fault().level() == Level.NOTE;
    }

    /** Returns how many findings have a level. */
    public long count(Level level) {
        return level == Level.NOTE
                ? notes.size()
                : findings.stream()
                        .filter(finding -> finding.fault().level() == level)
                        .count();
    }

    /** Returns the statements that only raise, each once. */
    public List<InspectionFinding> raising() {
        Set<String> seen = new HashSet<>();
        return findings.stream()
                .filter(finding -> finding.remedy()
                        .filter(remedy -> remedy.kind() == Remedy.Kind.RAISES && seen.add(remedy.text()))
                        .isPresent())
                .toList();
    }
}
