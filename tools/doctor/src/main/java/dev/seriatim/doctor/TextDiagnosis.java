// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.cli.terminal.WrappedText;
import dev.seriatim.doctor.inventory.InspectionFault.Level;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.rule.Diagnosis;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;

/** Prints a diagnosis for a person. Stateless. */
public final class TextDiagnosis {

    private static final String INDENT = "    ";

    private TextDiagnosis() {}

    /** Prints it; the last line sums it up. */
    public static void print(Diagnosis diagnosis, PrintWriter out) {
        out.println(OneLine.of(Summary.place(diagnosis.inventory())));
        out.println("examined " + Summary.extent(diagnosis.inventory()) + " in " + Summary.seconds(diagnosis));
        findings("Errors: inserts fail, numbers repeat, or commits are lost", Level.ERROR, diagnosis, out);
        findings("Warnings: it will go wrong, or surprises", Level.WARNING, diagnosis, out);
        notes(diagnosis, out);
        skipped(Summary.skipped(diagnosis.inventory()), out);
        out.println();
        out.println(Summary.of(diagnosis) + incomplete(diagnosis));
    }

    private static void findings(String title, Level level, Diagnosis diagnosis, PrintWriter out) {
        List<InspectionFinding> findings = diagnosis.findings().stream()
                .filter(finding -> finding.fault().level() == level)
                .toList();
        if (findings.isEmpty()) {
            return;
        }
        out.println();
        out.println(title);
        for (InspectionFinding finding : findings) {
            out.println("  " + OneLine.of(finding.subject()) + "  ["
                    + finding.fault().code() + "]");
            wrapped(finding.what(), out);
            finding.remedy()
                    .ifPresent(remedy -> out.println(INDENT + label(remedy.kind()) + OneLine.of(remedy.text())));
        }
    }

    private static void notes(Diagnosis diagnosis, PrintWriter out) {
        List<String> soonest = diagnosis.outlooks().stream()
                .filter(outlook -> outlook.end().isPresent())
                .min(Comparator.comparing(outlook -> outlook.end().orElseThrow()))
                .map(outlook -> outlook.source().subject() + " runs out first, on "
                        + outlook.end().orElseThrow() + " at its pace so far")
                .stream()
                .toList();
        if (diagnosis.notes().isEmpty() && soonest.isEmpty()) {
            return;
        }
        out.println();
        out.println("Notes");
        for (InspectionFinding note : diagnosis.notes()) {
            out.println("  " + OneLine.of(note.subject()));
            wrapped(note.what(), out);
            note.remedy().ifPresent(remedy -> out.println(INDENT + label(remedy.kind()) + OneLine.of(remedy.text())));
        }
        soonest.forEach(line -> out.println("  " + OneLine.of(line)));
    }

    private static void skipped(List<String> skipped, PrintWriter out) {
        if (skipped.isEmpty()) {
            return;
        }
        out.println();
        out.println("Not examined");
        skipped.forEach(line ->
                WrappedText.lines("  " + OneLine.of(line), INDENT.length()).forEach(out::println));
    }

    private static void wrapped(String text, PrintWriter out) {
        WrappedText.lines(INDENT + OneLine.of(text), INDENT.length()).forEach(out::println);
    }

    /** A statement or a command is on one line, to be copied. */
    static String label(Remedy.Kind kind) {
        return switch (kind) {
            case RAISES, CHANGES -> "mend: ";
            case COMMAND -> "run:  ";
            case ADVICE -> "do:   ";
        };
    }

    private static String incomplete(Diagnosis diagnosis) {
        return diagnosis.inventory().skipped().isEmpty() ? "" : "; not all was examined, see above";
    }
}
