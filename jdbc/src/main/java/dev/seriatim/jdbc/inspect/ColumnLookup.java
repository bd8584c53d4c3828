// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds columns through JDBC's metadata, one by one: for engines without a quicker way. */
final class ColumnLookup {

    private static final Set<Integer> NUMBERS =
            Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL);

    private final Connection connection;
    private final DatabaseMetaData metadata;
    private final InspectionLimits limits;
    private final Skips skips;

    ColumnLookup(Connection connection, InspectionLimits limits, Skips skips) throws SQLException {
        this.connection = connection;
        this.metadata = connection.getMetaData();
        this.limits = limits;
        this.skips = skips;
    }

    List<ColumnExtent> extents(List<ColumnPath> candidates) throws SQLException {
        List<ColumnExtent> found = new ArrayList<>();
        long end = System.nanoTime() + limits.total().toNanos();
        for (ColumnPath asked : candidates) {
            if (System.nanoTime() - end > 0) {
                skips.add(asked.toString(), "the inspection's time was over");
                continue;
            }
            Optional<ColumnPath> column = find(asked);
            if (column.isPresent()) {
                found.add(extent(asked, column.get()));
            }
        }
        return found;
    }

    private Optional<ColumnPath> find(ColumnPath asked) throws SQLException {
        String schema = asked.table().schema();
        boolean databases =
                metadata.supportsCatalogsInDataManipulation() && !metadata.supportsSchemasInDataManipulation();
        String inCatalog = databases && !schema.isEmpty() ? schema : connection.getCatalog();
        String inSchema = databases ? null : schema.isEmpty() ? connection.getSchema() : schema;
        try (ResultSet row = metadata.getColumns(
                inCatalog,
                inSchema == null ? null : escaped(inSchema),
                escaped(asked.table().name()),
                escaped(asked.column()))) {
            while (row.next()) {
                String table = row.getString("TABLE_NAME");
                String column = row.getString("COLUMN_NAME");
                boolean same = table.equals(asked.table().name()) && column.equals(asked.column());
                if (same && NUMBERS.contains(row.getInt("DATA_TYPE"))) {
                    String of = row.getString(databases ? "TABLE_CAT" : "TABLE_SCHEM");
                    return Optional.of(new ColumnPath(new ObjectName(of == null ? "" : of, table), column));
                }
            }
            return Optional.empty();
        }
    }

    private ColumnExtent extent(ColumnPath asked, ColumnPath column) throws SQLException {
        ColumnExtent unread = new ColumnExtent(asked, column, Optional.empty(), Optional.empty());
        if (!limits.scans() && !indexed(column)) {
            skips.add(column.toString(), "no index begins with the column; reading all of it has to be asked for");
            return unread;
        }
        String name = quoted(column.column());
        ObjectName table = column.table();
        String from = (table.schema().isEmpty() ? "" : quoted(table.schema()) + ".") + quoted(table.name());
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout((int) Math.max(
                    1, TimeUnit.MILLISECONDS.toSeconds(limits.statement().toMillis())));
            try (ResultSet row = statement.executeQuery("SELECT MIN(" + name + "), MAX(" + name + ") FROM " + from)) {
                row.next();
                return new ColumnExtent(
                        asked,
                        column,
                        number(row.getBigDecimal(1), RoundingMode.CEILING),
                        number(row.getBigDecimal(2), RoundingMode.FLOOR));
            }
        } catch (SQLException e) {
            if (connection.isClosed()) {
                throw e;
            }
            skips.add(
                    column.toString(),
                    "it could not be read (" + String.valueOf(e.getMessage()).replaceAll("\\s+", " ") + ")");
            return unread;
        }
    }

    private boolean indexed(ColumnPath column) throws SQLException {
        String schema =
                column.table().schema().isEmpty() ? null : column.table().schema();
        boolean databases =
                metadata.supportsCatalogsInDataManipulation() && !metadata.supportsSchemasInDataManipulation();
        String inCatalog = databases ? schema : connection.getCatalog();
        String inSchema = databases ? null : schema;
        try (ResultSet key =
                metadata.getPrimaryKeys(inCatalog, inSchema, column.table().name())) {
            while (key.next()) {
                if (key.getInt("KEY_SEQ") == 1 && column.column().equals(key.getString("COLUMN_NAME"))) {
                    return true;
                }
            }
        }
        try (ResultSet index =
                metadata.getIndexInfo(inCatalog, inSchema, column.table().name(), false, true)) {
            while (index.next()) {
                if (index.getInt("ORDINAL_POSITION") == 1 && column.column().equals(index.getString("COLUMN_NAME"))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Optional<BigInteger> number(@Nullable BigDecimal value, RoundingMode inwards) {
        return Optional.ofNullable(value).map(read -> read.setScale(0, inwards).toBigIntegerExact());
    }

    private String escaped(String name) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        return name.replace(escape, escape + escape).replace("_", escape + "_").replace("%", escape + "%");
    }

    private String quoted(String name) throws SQLException {
        String quote = metadata.getIdentifierQuoteString();
        return quote + name.replace(quote, quote + quote) + quote;
    }
}
