// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.cli.terminal.OneLine;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The faults of what generates numbers in a database.
 *
 * @param findings what is wrong, the worst first; no notes
 * @param notes what is worth knowing
 * @param accepted findings that do not count, and why
 */
public record Diagnosis(
        Inventory inventory,
        Forecast forecast,
        List<InspectionFinding> findings,
        List<InspectionFinding> notes,
        Map<InspectionFinding, String> accepted,
        Instant at,
        Duration took) {

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
            Inventory inventory,
            CounterCommands commands,
            Forecast forecast,
            Predicate<InspectionFinding> chosen,
            Map<String, String> reasons,
            Instant at,
            Duration took) {
        List<InspectionFinding> all = new ArrayList<>(inventory.findings());
        new Rules(inventory, commands, forecast, all).apply();
        all.sort(Comparator.comparing(finding -> finding.fault().level()));
        Diagnosis diagnosis = new Diagnosis(
                inventory, forecast, new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>(), at, took);
        Set<String> seen = new HashSet<>();
        for (InspectionFinding finding : all) {
            String key = finding.fault() + " " + OneLine.of(finding.subject());
            boolean note = finding.fault().level() == Level.NOTE;
            if ((note || seen.add(key)) && chosen.test(finding)) {
                if (!note && reasons.containsKey(key)) {
                    diagnosis.accepted.put(finding, reasons.get(key));
                } else {
                    (note ? diagnosis.notes : diagnosis.findings).add(finding);
                }
            }
        }
        Set<String> unmatched = new TreeSet<>(reasons.keySet());
        unmatched.removeAll(seen);
        unmatched.forEach(key -> diagnosis.notes.add(
                InspectionFinding.note("--accept", "no finding is '" + key + "': correct or remove the line")));
        return diagnosis;
    }

    /** Returns the day on which a source runs out at its pace so far, if a history says so. */
    public Optional<LocalDate> end(NumberSource source) {
        return source.exhausted() || source.cycle() ? Optional.empty() : forecast.reaches(source, source.nearestEnd());
    }

    public long count(Level level) {
        return findings.stream()
                .filter(finding -> finding.fault().level() == level)
                .count();
    }

    /** Returns the findings and notes that a statement mends which only raises; a statement once. */
    public List<InspectionFinding> raising() {
        Set<Optional<Remedy>> seen = new HashSet<>();
        return Stream.concat(findings.stream(), notes.stream())
                .filter(finding -> finding.remedy().stream().anyMatch(remedy -> remedy.kind() == Remedy.Kind.RAISES))
                .filter(finding -> seen.add(finding.remedy()))
                .toList();
    }
}
