// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionFault;
import dev.seriatim.jdbc.inspect.InspectionFinding;
import dev.seriatim.jdbc.inspect.LibrarySequence;
import dev.seriatim.jdbc.inspect.NativeSequence;
import dev.seriatim.jdbc.inspect.NumberedColumn;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two generators for one column: sequences that it owns or draws from, or one of this library beside them. The row number that every
 * table of SQLite has is no second one.
 */
final class TwiceRule implements Rule {

    @Override
    public List<InspectionFinding> find(Facts facts) {
        Map<String, Set<String>> generators = new LinkedHashMap<>();
        for (NumberedColumn column : facts.inventory().columns()) {
            if (column.generator() != NumberedColumn.Generator.ROWID) {
                add(
                        generators,
                        column.path(),
                        column.sequence().map(ObjectName::toString).orElseGet(() -> name(column)));
            }
        }
        // Also of columns that draw from none: two sequences that they own are two all the same.
        for (NativeSequence sequence : facts.inventory().sequences()) {
            sequence.owner()
                    .ifPresent(column ->
                            add(generators, column.toString(), sequence.name().toString()));
        }
        for (LibrarySequence counter : facts.inventory().counters()) {
            counter.column()
                    .map(ColumnPath::toString)
                    .filter(generators::containsKey)
                    .ifPresent(path -> add(
                            generators,
                            path,
                            "Seriatim's " + counter.state().definition().name()));
        }
        List<InspectionFinding> found = new ArrayList<>();
        generators.forEach((path, names) -> {
            if (names.size() > 1) {
                found.add(new InspectionFinding(
                        InspectionFault.DEFINED_TWICE,
                        path,
                        "has " + names.size() + " generators, and each can deal what another has dealt: "
                                + names.stream().sorted().collect(Collectors.joining(", ")),
                        Optional.of(new Remedy(
                                "keep the one that applications draw from, raise it beyond the column, and drop the others",
                                Remedy.Kind.ADVICE))));
            }
        });
        return found;
    }

    private static void add(Map<String, Set<String>> generators, String path, String name) {
        generators.computeIfAbsent(path, none -> new LinkedHashSet<>()).add(name);
    }

    private static String name(NumberedColumn column) {
        return column.generator() == NumberedColumn.Generator.AUTO_INCREMENT ? "AUTO_INCREMENT" : "its identity";
    }
}
