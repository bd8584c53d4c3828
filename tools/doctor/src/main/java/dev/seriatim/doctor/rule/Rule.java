// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.InspectionFinding;
import java.util.List;

/** Finds one kind of fault. Stateless. */
@FunctionalInterface
interface Rule {

    /** Returns what is wrong, at most one finding for each object and fault. */
    List<InspectionFinding> find(Facts facts);
}
