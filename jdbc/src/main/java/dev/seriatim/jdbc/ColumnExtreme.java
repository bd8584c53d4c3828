// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException.Misconfigured;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** Looks up the highest or the lowest value of a column of whole numbers. */
record ColumnExtreme(String table, String column, boolean highest) {

    ColumnExtreme {
        SequenceTable.identifier("table", table);
        SequenceTable.identifier("column", column);
    }

    /** Runs the query. */
    OptionalLong read(Connection connection, Dialect dialect) throws SQLException {
        String sql = "SELECT " + (highest ? "MAX(" : "MIN(") + dialect.quote(column) + ") FROM " + dialect.quote(table);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            Object value = row.next() ? row.getObject(1) : null;
            return value == null ? OptionalLong.empty() : OptionalLong.of(whole(value));
        }
    }

    /** The exception to throw for one of the query: of our own where the table or the column is missing. */
    SQLException explain(Fault fault, String database, SQLException e) {
        return switch (fault) {
            case MISSING_TABLE ->
                throw new Misconfigured(database + " has no table '" + table + "'; name one that it has", e);
            case MISSING_COLUMN ->
                throw new Misconfigured(
                        "table '" + table + "' of " + database + " has no column '" + column
                                + "'; name one that it has",
                        e);
            default -> e;
        };
    }

    private long whole(Object value) {
        if (value instanceof Number && !(value instanceof Double) && !(value instanceof Float)) {
            try {
                return new BigDecimal(value.toString()).longValueExact();
            } catch (ArithmeticException notWhole) {
                // told below, as any other wrong value
            }
        }
        throw new Misconfigured("column '" + column + "' of table '" + table + "' holds '" + value
                + "', not a 64-bit whole number; name a column of whole numbers");
    }
}
