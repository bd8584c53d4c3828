// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.report.Finding.Level;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The faults of what generates numbers in a database.
 *
 * @param inventory what was read
 * @param findings what is wrong, the worst first; no notes
 * @param notes what is worth knowing
 * @param accepted findings that do not count, and why
 * @param at when the database was read
 * @param took how long that took
 */
public record Diagnosis(
        Inventory inventory,
        Forecast forecast,
        List<InspectionFinding> findings,
        List<InspectionFinding> notes,
        Map<InspectionFinding, String> accepted,
        Instant at,
        Duration took) {

    /** Says when numbers run out. */
    @FunctionalInterface
    public interface Forecast {

        Forecast NONE = (source, last) -> Optional.empty();

        /**
         * Returns the day on which a source has generated its {@code last} number, at its pace so far. Empty if its pace is not known,
         * it stands still, or that is more than 10,000 years away.
         */
        Optional<LocalDate> reaches(NumberSource source, BigInteger last);
    }

    /** Applies every rule. What the engine's own rules have found comes first, and is not found again. */
    public static Diagnosis of(
            Inventory inventory, CounterCommands commands, Forecast forecast, Instant at, Duration took) {
        List<InspectionFinding> all = new ArrayList<>(inventory.findings());
        new Rules(inventory, commands, forecast, all).apply();
        Set<List<Object>> seen = new HashSet<>();
        all.removeIf(finding -> !isNote(finding) && !seen.add(List.of(finding.fault(), finding.subject())));
        Map<Boolean, List<InspectionFinding>> byNote = all.stream()
                .sorted(Comparator.comparing(finding -> finding.fault().level()))
                .collect(Collectors.partitioningBy(Diagnosis::isNote));
        return new Diagnosis(
                inventory,
                forecast,
                byNote.getOrDefault(false, List.of()),
                byNote.getOrDefault(true, List.of()),
                Map.of(),
                at,
                took);
    }

    /** Returns the day on which a source runs out at its pace so far, if a history says so. */
    public Optional<LocalDate> end(NumberSource source) {
        return source.exhausted() || source.cycle() ? Optional.empty() : forecast.reaches(source, source.nearestEnd());
    }

    private static boolean isNote(InspectionFinding finding) {
        return finding.fault().level() == Level.NOTE;
    }

    /** Returns how many findings are errors, or warnings. */
    public long count(Level level) {
        return findings.stream()
                .filter(finding -> finding.fault().level() == level)
                .count();
    }

    /** Returns the statements that only raise, those of notes included, each once. */
    public List<InspectionFinding> raising() {
        Set<String> seen = new HashSet<>();
        return Stream.concat(findings.stream(), notes.stream())
                .filter(finding -> finding.remedy()
                        .filter(remedy -> remedy.kind() == Remedy.Kind.RAISES && seen.add(remedy.text()))
                        .isPresent())
                .toList();
    }
}
