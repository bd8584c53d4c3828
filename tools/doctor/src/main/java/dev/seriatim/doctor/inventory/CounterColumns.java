// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.doctor.inventory.EngineCatalog.Extent;
import dev.seriatim.store.ColumnName;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the columns of this library's sequences: those that the user named, and those that a sequence's own name says, such as
 * {@code orders.id}, {@code orders_id} and {@code orders_id_seq}.
 *
 * @param named the columns that the user named, by their sequences
 */
record CounterColumns(Map<String, ColumnName> named) {

    /** Returns the columns that exist, by the names of their sequences. */
    Map<String, Extent> of(List<String> sequences, EngineCatalog engine) throws SQLException {
        Map<String, Set<ColumnPath>> candidates = new LinkedHashMap<>();
        for (String name : sequences) {
            ColumnName given = named.get(name);
            candidates.put(name, given == null ? candidates(name) : Set.of(ColumnPath.of(given)));
        }
        List<ColumnPath> all =
                candidates.values().stream().flatMap(Set::stream).distinct().toList();
        Map<ColumnPath, Extent> found = all.isEmpty() ? Map.of() : engine.extents(all);
        Map<String, Extent> columns = new HashMap<>();
        candidates.forEach((name, paths) -> {
            List<Extent> fitting =
                    paths.stream().map(found::get).filter(Objects::nonNull).toList();
            if (fitting.size() == 1) {
                columns.put(name, fitting.get(0));
            } else if (fitting.size() > 1) {
                String names =
                        fitting.stream().map(one -> one.column().toString()).collect(Collectors.joining(", "));
                engine.skips.add("sequence " + name, """
                        its name fits several columns (%s); say which holds its numbers""".formatted(names));
            }
        });
        return columns;
    }

    private static Set<ColumnPath> candidates(String name) {
        Set<ColumnPath> candidates = new LinkedHashSet<>();
        for (String stem : List.of(name, name.replaceFirst("(?i)_seq$", ""))) {
            int dot = stem.lastIndexOf('.');
            if (dot > 0 && dot < stem.length() - 1) {
                int before = stem.indexOf('.');
                String schema = before < dot ? stem.substring(0, before) : "";
                String table = stem.substring(before < dot ? before + 1 : 0, dot);
                candidates.add(new ColumnPath(new ObjectName(schema, table), stem.substring(dot + 1)));
                continue;
            }
            for (int at = stem.indexOf('_', 1); at > 0 && at < stem.length() - 1; at = stem.indexOf('_', at + 1)) {
                candidates.add(new ColumnPath(new ObjectName("", stem.substring(0, at)), stem.substring(at + 1)));
            }
        }
        return candidates;
    }
}
