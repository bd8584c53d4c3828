// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.EngineCatalog.Extent;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the columns of this library's sequences: those that the user named, and those that a sequence's own name says, such as
 * {@code orders.id}, {@code orders_id} and {@code orders_id_seq}.
 *
 * @param named the columns that the user named, by their sequences
 */
record CounterColumns(Map<String, ColumnName> named) {

    private static final String SUFFIX = "_seq";

    /** Returns the sequences with the columns that exist. */
    List<LibrarySequence> of(
            List<SequenceState> states,
            EngineCatalog engine,
            Connection connection,
            InspectionLimits limits,
            Skips skips)
            throws SQLException {
        Map<String, Set<ColumnPath>> candidates = new LinkedHashMap<>();
        for (SequenceState state : states) {
            String name = state.definition().name();
            ColumnName given = named.get(name);
            candidates.put(name, given == null ? candidates(name) : Set.of(ColumnPath.of(given)));
        }
        List<ColumnPath> all =
                candidates.values().stream().flatMap(Set::stream).distinct().toList();
        Map<ColumnPath, Extent> found = new LinkedHashMap<>();
        if (!all.isEmpty()) {
            engine.extents(connection, limits, all, skips).forEach(extent -> found.put(extent.asked(), extent));
        }
        return states.stream()
                .map(state -> counter(
                        state,
                        candidates.getOrDefault(state.definition().name(), Set.of()).stream()
                                .flatMap(candidate -> Optional.ofNullable(found.get(candidate)).stream())
                                .toList(),
                        skips))
                .toList();
    }

    private static LibrarySequence counter(SequenceState state, List<Extent> columns, Skips skips) {
        if (columns.size() == 1) {
            return new LibrarySequence(
                    state, Optional.of(columns.get(0).column()), columns.get(0).extremes());
        }
        if (columns.size() > 1) {
            String names =
                    columns.stream().map(extent -> extent.column().toString()).collect(Collectors.joining(", "));
            skips.add(
                    "sequence " + state.definition().name(),
                    "its name fits several columns (" + names + "); say which holds its numbers");
        }
        return LibrarySequence.alone(state);
    }

    /** Returns the columns that a name can stand for. */
    static Set<ColumnPath> candidates(String name) {
        Set<ColumnPath> candidates = new LinkedHashSet<>();
        add(candidates, name);
        if (name.toLowerCase(Locale.ROOT).endsWith(SUFFIX)) {
            add(candidates, name.substring(0, name.length() - SUFFIX.length()));
        }
        return candidates;
    }

    private static void add(Set<ColumnPath> candidates, String name) {
        int dot = name.lastIndexOf('.');
        if (dot > 0 && dot < name.length() - 1) {
            String table = name.substring(0, dot);
            int before = table.indexOf('.');
            String schema = before < 0 ? "" : table.substring(0, before);
            candidates.add(
                    new ColumnPath(new ObjectName(schema, table.substring(before + 1)), name.substring(dot + 1)));
            return;
        }
        for (int line = name.indexOf('_', 1);
                line > 0 && line < name.length() - 1;
                line = name.indexOf('_', line + 1)) {
            candidates.add(new ColumnPath(new ObjectName("", name.substring(0, line)), name.substring(line + 1)));
        }
    }
}
