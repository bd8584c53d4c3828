// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.doctor.rule;

import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A sequence that a column draws from, or one of this library, begins anew at its end. One that nothing draws from may. */
final class CycleRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        for (RuleSource source : facts.sources()) {
            if (!source.cycle()) {
                continue;
            }
            String into = source.columns().stream().map(NumberedColumn::path).collect(Collectors.joining(", "));
            if (into.isEmpty()) {
                into = source.sequence()
                        .flatMap(NativeSequence::owner)
                        .map(ColumnPath::toString)
                        .orElse("");
            }
            if (source.counter().isPresent() || !into.isEmpty()) {
                Optional<Remedy> remedy = source.counter().isPresent()
                        ? Optional.of(facts.commands().noCycle(source.subject()))
                        : facts.engine().flatMap(engine -> source.sequence().map(engine::noCycle));
                String where = into.isEmpty() || into.equals(source.subject()) ? "" : " in " + into;
                found.add(new InspectionFinding(
                        InspectionFault.CYCLES,
                        source.subject(),
                        "begins anew after " + source.last() + ", and then repeats numbers" + where,
                        remedy));
            }
        }
        return found;
    }
}
