// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.rule.Diagnosis;
import dev.seriatim.report.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose which findings count. Not thread-safe. */
final class FindingFilter {

    private static final Pattern LINE = Pattern.compile("(\\S+ .*?)\\s+#\\s+(\\S.*)|\\s*(?:#.*)?");

    @Option(names = "--accept", paramLabel = "FILE", description = """
                    Do not count the findings that a file lists, one a line, such as: unowned shop.orders.id  # REASON""")
    private @Nullable Path file;

    @Option(names = "--schema", paramLabel = "NAME", split = ",", description = """
                    Leave out what is in other schemas. Settings are in none.""")
    private List<String> schemas = new ArrayList<>();

    @Option(names = "--only", paramLabel = "CODE", split = ",", description = "Leave out findings with other codes.")
    private List<Fault> codes = new ArrayList<>();

    @Option(names = "--fail-on", paramLabel = "LEVEL", defaultValue = "warning", description = """
                    The least level with exit code 3: error or warning. Default: ${DEFAULT-VALUE}.""")
    private Level least = Level.WARNING;

    /** Why findings are accepted, by their codes and subjects. */
    private final Map<String, String> reasons = new LinkedHashMap<>();

    /** Reads the file. Throws {@link Misconfigured} if a line of it has no reason. */
    void read() {
        try {
            List<String> lines = file == null ? List.of() : Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                Matcher line = LINE.matcher(lines.get(i).strip());
                if (!line.matches()) {
                    throw new Misconfigured("""
                            --accept: %s:%s has no reason; write it as CODE SUBJECT  # REASON""".formatted(file, i + 1));
                }
                if (line.group(1) != null) {
                    reasons.put(line.group(1), line.group(2));
                }
            }
        } catch (IOException e) {
            throw new Misconfigured("--accept: '" + file + "' cannot be read (" + e + "); name a file of text", e);
        }
    }

    /** Returns what is chosen, with what is accepted apart. Throws {@link Misconfigured} if nothing is in a schema. */
    Diagnosis of(Diagnosis all) {
        for (String schema : schemas) {
            if (all.inventory().sources().stream()
                    .noneMatch(source -> schema.equals(source.name().schema()))) {
                throw new Misconfigured(
                        "--schema: nothing in " + OneLine.quoted(schema) + " generates numbers; correct the name");
            }
        }
        Map<InspectionFinding, String> accepted = new LinkedHashMap<>();
        List<InspectionFinding> findings = new ArrayList<>();
        Set<String> unmatched = new LinkedHashSet<>(reasons.keySet());
        for (InspectionFinding finding : all.findings()) {
            String key = finding.fault() + " " + OneLine.of(finding.subject());
            if (isChosen(finding) && reasons.containsKey(key)) {
                accepted.put(finding, reasons.getOrDefault(key, ""));
            } else if (isChosen(finding)) {
                findings.add(finding);
            }
            unmatched.remove(key);
        }
        List<InspectionFinding> notes =
                new ArrayList<>(all.notes().stream().filter(this::isChosen).toList());
        unmatched.forEach(key -> notes.add(
                InspectionFinding.note("--accept", "nothing is " + OneLine.quoted(key) + ": remove the line")));
        return new Diagnosis(all.inventory(), all.forecast(), findings, notes, accepted, all.at(), all.took());
    }

    private boolean isChosen(InspectionFinding finding) {
        String schema = finding.place().table().schema();
        return (codes.isEmpty() || codes.contains(finding.fault()))
                && (schemas.isEmpty() || schema.isEmpty() || schemas.contains(schema));
    }

    boolean fails(Diagnosis chosen) {
        return chosen.findings().stream()
                .anyMatch(finding -> finding.fault().level().compareTo(least) <= 0);
    }
}
