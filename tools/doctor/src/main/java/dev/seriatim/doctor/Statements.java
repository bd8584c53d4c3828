// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.cli.terminal.OneLine;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.Remedy;
import dev.seriatim.doctor.rule.Diagnosis;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Prints what mends a database as a script for its client. Stateless. */
public final class Statements {

    private Statements() {}

    /** Prints the statements that only raise, one a line; then a comment for each other finding. */
    public static void print(Diagnosis diagnosis, PrintWriter out) {
        List<InspectionFinding> raising = diagnosis.raising().stream()
                .filter(finding -> isOneLine(finding.remedy()))
                .toList();
        raising.forEach(
                finding -> out.println(ended(finding.remedy().orElseThrow().text())));
        for (InspectionFinding finding : diagnosis.findings()) {
            boolean raises = finding.remedy()
                    .filter(remedy -> remedy.kind() == Remedy.Kind.RAISES)
                    .isPresent();
            if (!raises || !isOneLine(finding.remedy())) {
                out.println("-- " + comment(finding));
            }
        }
    }

    /** A name may hold a line's end, and then what follows would be run as another line. */
    private static boolean isOneLine(Optional<Remedy> remedy) {
        return remedy.filter(one -> OneLine.of(one.text()).equals(one.text())).isPresent();
    }

    private static String comment(InspectionFinding finding) {
        String why = finding.fault().code() + ", " + finding.subject() + " " + finding.what();
        return OneLine.of(
                finding.remedy().map(remedy -> remedy.text() + "  -- " + why).orElse(why));
    }

    private static String ended(String statement) {
        return statement.endsWith(";") ? statement : statement + ";";
    }
}
