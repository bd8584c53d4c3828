// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import dev.seriatim.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The SQL queries over a column of numbers.
 *
 * @param from the first number to read; empty for all
 * @param ascending the direction of the sequence
 */
record ColumnQueries(Dialect dialect, TableColumn numbers, OptionalLong from, boolean ascending) {

    /** Fetch size: large enough that the round trip is negligible, small enough to fit in memory. */
    private static final int ROWS = 10_000;

    /** Prepares a query that returns no rows and fails if the column does not exist. */
    PreparedStatement probe(Connection connection, TableColumn column) throws SQLException {
        return connection.prepareStatement(
                "SELECT " + quoted(column) + table() + " WHERE 1 " + dialect.operator("=") + " 0");
    }

    /** Counts the rows without a number. */
    PreparedStatement countEmpty(Connection connection) throws SQLException {
        return connection.prepareStatement(
                "SELECT " + dialect.function("COUNT(*)") + table() + " WHERE " + quoted(numbers) + " IS NULL");
    }

    /** Reads the numbers in the direction of the sequence. */
    PreparedStatement byNumber(Connection connection) throws SQLException {
        String number = quoted(numbers);
        return begun(streamed(
                connection, "SELECT " + number + table() + where(number) + " ORDER BY " + number + direction()));
    }

    /**
     * Reads the numbers that have a time, and the time, ordered by time; numbers with equal times are in the
     * direction of the sequence.
     */
    PreparedStatement byTime(Connection connection, TableColumn times) throws SQLException {
        String number = quoted(numbers);
        String time = quoted(times);
        return begun(streamed(
                connection,
                "SELECT " + number + ", " + time + table() + where(number) + " AND " + time + " IS NOT NULL ORDER BY "
                        + time + ", " + number + direction()));
    }

    private String where(String number) {
        String beginning =
                from.isEmpty() ? "" : " AND " + number + " " + dialect.operator(ascending ? ">=" : "<=") + " ?";
        return " WHERE " + number + " IS NOT NULL" + beginning;
    }

    private PreparedStatement begun(PreparedStatement statement) throws SQLException {
        if (from.isPresent()) {
            statement.setLong(1, from.getAsLong());
        }
        return statement;
    }

    private String direction() {
        return ascending ? "" : " DESC";
    }

    private String table() {
        return " FROM " + numbers.name().tableInSql(dialect::quote);
    }

    private String quoted(TableColumn column) {
        return dialect.quote(column.name().column());
    }

    /** Prepares a query whose rows the driver streams. Most drivers stream only inside a transaction. */
    private static PreparedStatement streamed(Connection connection, String sql) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        // MySQL's own driver ignores any fetch size but this one.
        boolean mySqls = connection.getMetaData().getDriverName().startsWith("MySQL");
        statement.setFetchSize(mySqls ? Integer.MIN_VALUE : ROWS);
        return statement;
    }
}
