// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A column draws from a sequence that no column owns. Left out are sequences of several columns, which have no owner, and those
 * of other roles, which cannot be owned. On an engine without ownership, there is nothing to mend.
 */
final class OwnerRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        return facts.engine().map(engine -> find(facts, engine)).orElse(List.of());
    }

    private static List<InspectionFinding> find(Facts facts, EngineInspection engine) {
        List<InspectionFinding> found = new ArrayList<>();
        for (NativeSequence sequence : facts.inventory().sequences()) {
            List<NumberedColumn> drawing = facts.drawingFrom(sequence);
            if (sequence.owner().isPresent()
                    || sequence.ofIdentity()
                    || drawing.size() != 1
                    || drawing.get(0).foreign()) {
                continue;
            }
            NumberedColumn column = drawing.get(0);
            Remedy own = engine.own(sequence, column);
            if (own.kind() == Remedy.Kind.CHANGES) {
                found.add(new InspectionFinding(
                        InspectionFault.UNOWNED,
                        column.path(),
                        "draws from " + sequence.name() + ", which no column owns: DROP TABLE leaves it, and TRUNCATE …"
                                + " RESTART IDENTITY does not restart it",
                        Optional.of(own)));
            }
        }
        return found;
    }
}
