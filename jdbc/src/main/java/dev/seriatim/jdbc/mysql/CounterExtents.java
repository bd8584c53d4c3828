// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.mysql;

import dev.seriatim.jdbc.inspect.BatchedExtremes.Extremes;
import dev.seriatim.jdbc.inspect.ColumnExtent;
import dev.seriatim.jdbc.inspect.ColumnPath;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Skips;
import dev.seriatim.jdbc.sql.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for the columns of this library's sequences. Not through JDBC's metadata, whose patterns make the server open every table.
 */
final class CounterExtents {

    private static final String COLUMNS = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS"
            + " WHERE DATA_TYPE IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal') AND TABLE_SCHEMA = ?";

    private final Connection connection;
    private final boolean mariaDb;
    private final InspectionLimits limits;
    private final long end;
    private final Skips skips;

    CounterExtents(Connection connection, boolean mariaDb, InspectionLimits limits, Skips skips) {
        this.connection = connection;
        this.mariaDb = mariaDb;
        this.limits = limits;
        this.end = System.nanoTime() + limits.total().toNanos();
        this.skips = skips;
    }

    List<ColumnExtent> of(List<ColumnPath> candidates) throws SQLException {
        String current = Settings.read(connection, "SELECT DATABASE()").orElse("");
        Map<String, List<ColumnPath>> byDatabase = new LinkedHashMap<>();
        for (ColumnPath asked : candidates) {
            String schema = asked.table().schema();
            byDatabase
                    .computeIfAbsent(schema.isEmpty() ? current : schema, none -> new ArrayList<>())
                    .add(asked);
        }
        byDatabase.remove(""); // there is no database that they could be in
        Map<ColumnPath, ColumnPath> found = new LinkedHashMap<>();
        List<ColumnPath> wanted = new ArrayList<>();
        for (Map.Entry<String, List<ColumnPath>> entry : byDatabase.entrySet()) {
            find(entry.getKey(), entry.getValue(), found, wanted);
        }
        Map<ColumnPath, Extremes> extremes =
                DatabaseFacts.extremes(connection, end, skips).of(wanted);
        return found.entrySet().stream()
                .map(entry -> {
                    Optional<Extremes> ends = Optional.ofNullable(extremes.get(entry.getValue()));
                    return new ColumnExtent(
                            entry.getKey(),
                            entry.getValue(),
                            ends.flatMap(Extremes::lowest),
                            ends.flatMap(Extremes::highest));
                })
                .toList();
    }

    private void find(
            String database, List<ColumnPath> candidates, Map<ColumnPath, ColumnPath> found, List<ColumnPath> wanted)
            throws SQLException {
        Set<String> names = SchemaReads.names(connection, database);
        Set<String> tables = new LinkedHashSet<>();
        candidates.stream()
                .map(asked -> asked.table().name())
                .filter(names::contains)
                .forEach(tables::add);
        SchemaReads schema = new SchemaReads(connection, database, Optional.of(tables), end, skips);
        Set<ColumnPath> numbers = new HashSet<>(schema.rows(
                COLUMNS, row -> new ColumnPath(new ObjectName(database, row.getString(1)), row.getString(2))));
        Set<ColumnPath> indexed = DatabaseFacts.indexed(schema, database, mariaDb);
        Set<String> views = DatabaseFacts.views(schema, limits.scans());
        for (ColumnPath asked : candidates) {
            ColumnPath column =
                    new ColumnPath(new ObjectName(database, asked.table().name()), asked.column());
            if (!numbers.contains(column) || views.contains(asked.table().name())) {
                continue;
            }
            found.put(asked, column);
            if (limits.scans() || indexed.contains(column)) {
                wanted.add(column);
            } else {
                skips.add(column.toString(), Skips.NO_INDEX);
            }
        }
    }
}
