// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the columns of this library's sequences: those that were named, and those that a sequence's own name says, such as {@code
 * orders.id}, {@code orders_id} and {@code orders_id_seq}.
 *
 * @param named the columns that were named, by their sequences
 */
public record CounterColumns(Map<String, ColumnPath> named) {

    private static final String SUFFIX = "_seq";

    /** Copies the map. */
    public CounterColumns {
        named = Map.copyOf(named);
    }

    /** Returns the sequences with the columns that are there, and how far those have come. */
    public List<LibrarySequence> of(
            List<SequenceState> states,
            EngineInspection engine,
            Connection connection,
            InspectionLimits limits,
            Skips skips)
            throws SQLException {
        Map<String, Set<ColumnPath>> candidates = new LinkedHashMap<>();
        for (SequenceState state : states) {
            String name = state.definition().name();
            ColumnPath given = named.get(name);
            candidates.put(name, given == null ? candidates(name) : Set.of(given));
        }
        List<ColumnPath> all =
                candidates.values().stream().flatMap(Set::stream).distinct().toList();
        Map<ColumnPath, ColumnExtent> found = new LinkedHashMap<>();
        if (!all.isEmpty()) {
            engine.extents(connection, limits, all, skips).forEach(extent -> found.put(extent.asked(), extent));
        }
        List<LibrarySequence> counters = new ArrayList<>();
        for (SequenceState state : states) {
            String name = state.definition().name();
            List<ColumnExtent> columns = candidates.getOrDefault(name, Set.of()).stream()
                    .flatMap(candidate -> Optional.ofNullable(found.get(candidate)).stream())
                    .toList();
            counters.add(counter(state, columns, skips));
        }
        return counters;
    }

    private static LibrarySequence counter(SequenceState state, List<ColumnExtent> columns, Skips skips) {
        if (columns.size() == 1) {
            ColumnExtent extent = columns.get(0);
            return new LibrarySequence(state, Optional.of(extent.column()), extent.lowest(), extent.highest());
        }
        if (columns.size() > 1) {
            skips.add(
                    "sequence " + state.definition().name(),
                    "its name fits several columns ("
                            + columns.stream()
                                    .map(extent -> extent.column().toString())
                                    .collect(Collectors.joining(", "))
                            + "); say which holds its numbers");
        }
        return new LibrarySequence(state, Optional.empty(), Optional.empty(), Optional.empty());
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
