// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.LibrarySequence;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.Remedy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A sequence whose numbers are in a column begins anew at its end. One without a column may, and is a note. */
final class CycleRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        return facts.sources().stream()
                .filter(RuleSource::cycle)
                .map(source -> finding(facts, source, into(source)))
                .toList();
    }

    /** Returns the columns that hold its numbers; empty if none is known. */
    private static String into(RuleSource source) {
        if (!source.columns().isEmpty()) {
            return source.columns().stream().map(NumberedColumn::path).collect(Collectors.joining(", "));
        }
        return source.sequence()
                .flatMap(NativeSequence::owner)
                .or(() -> source.counter().flatMap(LibrarySequence::column))
                .map(ColumnPath::toString)
                .orElse("");
    }

    private static InspectionFinding finding(Facts facts, RuleSource source, String into) {
        String anew = "begins anew after " + source.last();
        if (into.isEmpty()) {
            return new InspectionFinding(
                    InspectionFault.NOTE,
                    source.subject(),
                    anew + "; no column is known that would get its numbers again",
                    Optional.empty());
        }
        Optional<Remedy> remedy = source.counter().isPresent()
                ? Optional.of(facts.commands().noCycle(source.subject()))
                : facts.engine().flatMap(engine -> source.sequence().map(engine::noCycle));
        String where = into.equals(source.subject()) ? "" : " in " + into;
        return new InspectionFinding(
                InspectionFault.CYCLES, source.subject(), anew + ", and then repeats numbers" + where, remedy);
    }
}
