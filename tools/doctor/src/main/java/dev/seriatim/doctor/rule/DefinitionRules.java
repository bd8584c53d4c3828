// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.rule;

import dev.seriatim.doctor.inventory.ColumnPath;
import dev.seriatim.doctor.inventory.InspectionFault;
import dev.seriatim.doctor.inventory.InspectionFinding;
import dev.seriatim.doctor.inventory.LibrarySequence;
import dev.seriatim.doctor.inventory.NativeSequence;
import dev.seriatim.doctor.inventory.NumberedColumn;
import dev.seriatim.doctor.inventory.NumberedColumn.Generator;
import dev.seriatim.doctor.inventory.ObjectName;
import dev.seriatim.doctor.inventory.Remedies;
import dev.seriatim.doctor.inventory.Remedy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rules about how sequences are defined: cycles, caches, owners, increments, and two for one column. Stateless. */
final class DefinitionRules {

    private static final String HIBERNATES_SEQUENCE = "hibernate_sequence";
    private static final String HIBERNATES_TABLE = "hibernate_sequences";
    private static final String SUFFIX = "_seq";

    private DefinitionRules() {}

    /** Finds sequences that begin again at their end. If no column is known to hold the numbers, that is a note. */
    static List<InspectionFinding> cycles(Facts facts) {
        return facts.sources().stream()
                .filter(RuleSource::cycle)
                .map(source -> cycles(facts, source, columns(source)))
                .toList();
    }

    /** Returns the columns that hold a source's numbers; empty if none is known. */
    private static String columns(RuleSource source) {
        if (!source.columns().isEmpty()) {
            return source.columns().stream().map(NumberedColumn::path).collect(Collectors.joining(", "));
        }
        return source.sequence()
                .flatMap(NativeSequence::owner)
                .or(() -> source.counter().flatMap(LibrarySequence::column))
                .map(ColumnPath::toString)
                .orElse("");
    }

    private static InspectionFinding cycles(Facts facts, RuleSource source, String columns) {
        String again = "begins again after " + source.last();
        if (columns.isEmpty()) {
            return InspectionFinding.note(
                    source.subject(), again + "; no column is known that would get its numbers again");
        }
        Optional<Remedy> remedy = source.counter().isPresent()
                ? Optional.of(facts.commands().noCycle(source.subject()))
                : facts.remedies().flatMap(remedies -> source.sequence().map(remedies::noCycle));
        String where = columns.equals(source.subject()) ? "" : " in " + columns;
        return new InspectionFinding(
                InspectionFault.CYCLES, source.subject(), again + ", and then repeats numbers" + where, remedy);
    }

    /** Finds caches that change the order of numbers, or lose more of them than usual. */
    static List<InspectionFinding> caches(Facts facts) {
        List<InspectionFinding> found = new ArrayList<>();
        facts.remedies()
                .ifPresent(remedies -> facts.sources()
                        .forEach(source -> source.sequence()
                                .ifPresent(sequence -> remedies.ofCache(sequence.cache())
                                        .ifPresent(fault -> found.add(new InspectionFinding(
                                                fault,
                                                source.subject(),
                                                ofCache(fault).formatted(sequence.cache()),
                                                remedies.noCache(sequence)))))));
        return found;
    }

    private static String ofCache(InspectionFault fault) {
        return fault == InspectionFault.CACHE_REORDERS
                ? """
                its cache deals %s numbers to each session: later rows get lower numbers, and a session that ends \
                loses the numbers that it has not used"""
                : "its cache holds %s numbers, and a restart loses those that are left";
    }

    /**
     * Finds columns that draw from a sequence that no column owns. Left out are sequences of several columns, which have no owner,
     * and sequences of other roles, which the column cannot own.
     */
    static List<InspectionFinding> unowned(Facts facts) {
        return facts.remedies().stream()
                .flatMap(remedies -> facts.sources().stream()
                        .flatMap(source -> source
                                .sequence()
                                .filter(sequence -> sequence.owner().isEmpty() && !sequence.ofIdentity())
                                .filter(sequence -> source.columns().size() == 1)
                                .flatMap(sequence -> unowned(
                                        remedies, sequence, source.columns().get(0)))
                                .stream()))
                .toList();
    }

    private static Optional<InspectionFinding> unowned(
            Remedies remedies, NativeSequence sequence, NumberedColumn column) {
        return remedies.own(sequence, column)
                .filter(own -> !column.foreign())
                .map(own -> new InspectionFinding(
                        InspectionFault.UNOWNED, column.path(), """
                        draws from %s, which no column owns: DROP TABLE leaves it, and TRUNCATE … RESTART IDENTITY \
                        does not restart it""".formatted(sequence.name()), own));
    }

    /**
     * Finds columns with two generators: sequences that it owns or draws from, or a sequence of this library beside them. The row
     * number that every table of SQLite has does not count.
     */
    static List<InspectionFinding> twice(Facts facts) {
        Map<String, Set<String>> generators = new LinkedHashMap<>();
        for (NumberedColumn column : facts.inventory().columns()) {
            if (column.generator() != Generator.ROWID) {
                String own = column.generator() == Generator.AUTO_INCREMENT ? "AUTO_INCREMENT" : "its identity";
                String name = column.sequence().map(ObjectName::toString).orElse(own);
                generators.put(column.path(), new TreeSet<>(Set.of(name)));
            }
        }
        for (NativeSequence sequence : facts.inventory().sequences()) {
            sequence.owner()
                    .ifPresent(column -> generators
                            .computeIfAbsent(column.toString(), none -> new TreeSet<>())
                            .add(sequence.name().toString()));
        }
        for (LibrarySequence counter : facts.inventory().counters()) {
            counter.column()
                    .map(ColumnPath::toString)
                    .map(generators::get)
                    .ifPresent(names -> names.add("Seriatim's " + counter.name()));
        }
        List<InspectionFinding> found = new ArrayList<>();
        generators.forEach((path, names) -> {
            if (names.size() > 1) {
                found.add(new InspectionFinding(
                        InspectionFault.DEFINED_TWICE,
                        path,
                        """
                        has %s generators, and each can deal numbers that \
                        another has dealt: %s""".formatted(names.size(), String.join(", ", names)),
                        new Remedy("""
                                keep the one that applications draw from, raise it beyond the column, and drop the \
                                others""", Remedy.Kind.ADVICE)));
            }
        });
        return found;
    }

    /** Finds sequences of Hibernate's whose increment is not 1, which every entity that draws from it has to know. */
    static List<InspectionFinding> hibernatesIncrement(Facts facts) {
        Set<ObjectName> tables = facts.inventory().tables();
        List<InspectionFinding> found = new ArrayList<>();
        for (NativeSequence sequence : facts.inventory().sequences()) {
            if (sequence.steps()) {
                whyHibernates(sequence.name(), tables)
                        .ifPresent(why -> found.add(new InspectionFinding(
                                InspectionFault.INCREMENT_BESIDE_HIBERNATE,
                                sequence.name().toString(),
                                """
                                has increment %s, and is %s: an entity with another allocationSize repeats numbers or \
                                leaves gaps, and so does SQL that adds to them""".formatted(sequence.increment(), why),
                                new Remedy(
                                        "set allocationSize = " + sequence.increment()
                                                + " in each entity that draws from it",
                                        Remedy.Kind.ADVICE))));
            }
        }
        return found;
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
}
