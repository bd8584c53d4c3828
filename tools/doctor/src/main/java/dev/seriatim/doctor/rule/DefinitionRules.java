// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.InspectionFinding.Fault;
import dev.seriatim.doctor.inventory.NumberSource;
import dev.seriatim.doctor.inventory.NumberSource.Kind;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.NumberedColumn.Generator;
import dev.seriatim.doctor.inventory.ObjectName;
import dev.seriatim.doctor.inventory.Remedies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rules about how sequences are defined: cycles, caches, owners, increments, and two for one column. Not thread-safe.
 *
 * @param found receives the findings
 */
record DefinitionRules(Facts facts, List<InspectionFinding> found) {

    private static final String HIBERNATES_SEQUENCE = "hibernate_sequence";
    private static final String HIBERNATES_TABLE = "hibernate_sequences";
    private static final String SUFFIX = "_seq";

    /** Finds sequences that begin again at their end. If no column is known to hold the numbers, that is a note. */
    void cycles(NumberSource source) {
        if (!source.cycle()) {
            return;
        }
        String drawing = source.columns().stream().map(NumberedColumn::path).collect(Collectors.joining(", "));
        String columns =
                drawing.isEmpty() ? source.owner().map(ColumnPath::toString).orElse("") : drawing;
        String again = "begins again after " + source.last();
        if (columns.isEmpty()) {
            found.add(InspectionFinding.note(
                    source.subject(), again + "; no column is known that would get its numbers again"));
        } else {
            String where = columns.equals(source.subject()) ? "" : " in " + columns;
            found.add(Fault.CYCLES.of(
                    source.subject(),
                    again + ", and then repeats numbers" + where,
                    facts.remedies(source).noCycle(source)));
        }
    }

    /** Finds caches that change the order of numbers, or lose more of them than usual. */
    void caches(NumberSource source) {
        if (source.isSequence()) {
            Remedies remedies = facts.remedies(source);
            String reorders = """
                    its cache deals %s numbers to each session: later rows get lower numbers, and a session that ends \
                    loses the numbers that it has not used""";
            String loses = "its cache holds %s numbers, and a restart loses those that are left";
            remedies.ofCache(source)
                    .ifPresent(fault -> found.add(fault.of(
                            source.subject(),
                            (fault == Fault.CACHE_REORDERS ? reorders : loses).formatted(source.cache()),
                            remedies.noCache(source))));
        }
    }

    /**
     * Finds columns that draw from a sequence that no column owns. Left out are sequences of several columns, which have no owner,
     * and sequences of other roles, which the column cannot own.
     */
    void unowned(NumberSource source) {
        if (source.kind() == Kind.SEQUENCE
                && source.owner().isEmpty()
                && source.columns().size() == 1) {
            NumberedColumn column = source.columns().get(0);
            facts.remedies(source)
                    .own(source, column)
                    .filter(own -> !column.foreign())
                    .ifPresent(own -> found.add(Fault.UNOWNED.of(column.path(), """
                            draws from %s, which no column owns: DROP TABLE leaves it, and TRUNCATE … RESTART IDENTITY \
                            does not restart it""".formatted(source.name()), own)));
        }
    }

    /** Finds sequences of Hibernate's whose increment is not 1, which every entity that draws from it has to know. */
    void hibernatesIncrement(NumberSource source) {
        if (source.steps()) {
            whyHibernates(source.name(), facts.inventory().tables())
                    .ifPresent(why -> found.add(Fault.INCREMENT_BESIDE_HIBERNATE.of(
                            source.name(), """
                            has increment %s, and is %s: an entity with another allocationSize repeats numbers or \
                            leaves gaps, and so does SQL that adds to them""".formatted(source.increment(), why), """
                            set allocationSize = %s in each entity that draws from it""".formatted(source.increment()))));
        }
    }

    private static Optional<String> whyHibernates(ObjectName sequence, Set<ObjectName> tables) {
        String name = sequence.name();
        if (name.equalsIgnoreCase(HIBERNATES_SEQUENCE)) {
            return Optional.of("Hibernate's shared sequence");
        }
        if (name.endsWith(SUFFIX) || name.endsWith("_SEQ")) {
            ObjectName table = new ObjectName(sequence.schema(), name.substring(0, name.length() - SUFFIX.length()));
            if (tables.contains(table)) {
                return Optional.of("named as Hibernate does for " + table);
            }
        }
        boolean beside = tables.stream()
                .anyMatch(table ->
                        table.schema().equals(sequence.schema()) && table.name().equalsIgnoreCase(HIBERNATES_TABLE));
        return beside ? Optional.of("beside Hibernate's table " + HIBERNATES_TABLE) : Optional.empty();
    }

    /**
     * Finds columns with two generators: sequences that it owns or draws from, or a sequence of this library beside them. The row
     * number that every table of SQLite has does not count.
     */
    void twice() {
        Map<String, Set<String>> generators = new LinkedHashMap<>();
        for (NumberSource source : facts.inventory().sources()) {
            source.owner().ifPresent(owner -> add(generators, owner.toString(), source.name()));
            for (NumberedColumn column : source.columns()) {
                if (source.kind() != Kind.COUNTER) {
                    Object name = switch (column.generator()) {
                        case AUTO_INCREMENT -> "AUTO_INCREMENT";
                        case IDENTITY -> "its identity";
                        default -> "its default";
                    };
                    if (column.generator() != Generator.ROWID) {
                        add(generators, column.path(), source.isSequence() ? source.name() : name);
                    }
                } else if (generators.containsKey(column.path())) {
                    add(generators, column.path(), "Seriatim's " + source.subject());
                }
            }
        }
        generators.forEach((path, names) -> {
            if (names.size() > 1) {
                found.add(Fault.DEFINED_TWICE.of(path, """
                        has %s generators, and each can deal numbers that \
                        another has dealt: %s""".formatted(names.size(), String.join(", ", names)), """
                        keep the one that applications draw from, raise it beyond the column, and drop the others"""));
            }
        });
    }

    private static void add(Map<String, Set<String>> generators, String column, Object name) {
        generators.computeIfAbsent(column, none -> new TreeSet<>()).add(name.toString());
    }
}
