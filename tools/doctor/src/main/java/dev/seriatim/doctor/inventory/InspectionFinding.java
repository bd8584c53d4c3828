// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.util.Optional;

/**
 * A fault, or something worth knowing.
 *
 * @param fault its kind
 * @param subject the column, sequence, table or setting, for display
 * @param what the cause and its consequence, in one line, without the subject
 * @param remedy what mends it; empty if nothing has to be
 */
public record InspectionFinding(InspectionFault fault, String subject, String what, Optional<Remedy> remedy) {

    /** A finding with a remedy. */
    public InspectionFinding(InspectionFault fault, String subject, String what, Remedy remedy) {
        this(fault, subject, what, Optional.of(remedy));
    }

    /** A finding that a statement cannot mend. */
    static InspectionFinding advised(InspectionFault fault, String subject, String what, String advice) {
        return new InspectionFinding(fault, subject, what, new Remedy(advice, Remedy.Kind.ADVICE));
    }

    /** Something worth knowing. */
    public static InspectionFinding note(String subject, String what) {
        return new InspectionFinding(InspectionFault.NOTE, subject, what, Optional.empty());
    }
}
