// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.rowpool.Pools;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.ColumnName;
import dev.seriatim.store.ColumnScanner.Visitor;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads columns of users' tables. The database sorts the rows; a visitor checks them as they stream in.
 * Immutable and thread-safe.
 *
 * @param transactions for queries that may take long
 */
record ColumnScan(Dialect dialect, Transactions transactions, SqlFailures failures) {

    /** Fetch size: large enough that the round trip is negligible, small enough to fit in memory. */
    private static final int ROWS = 10_000;

    @FunctionalInterface
    private interface Show {
        void row(ResultSet row) throws SQLException;
    }

    /** Returns the highest or lowest value of a column of integers; empty if it has none. */
    OptionalLong extreme(ColumnName column, boolean highest) {
        String function = dialect.function(highest ? "MAX" : "MIN");
        String sql = dialect.upToDate("SELECT " + function + "(" + quoted(column) + ")" + from(column));
        return transactions.reading(
                SqlFailures.UNNAMED,
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql);
                            ResultSet row = statement.executeQuery()) {
                        Object value = row.next() ? row.getObject(1) : null;
                        return value == null ? OptionalLong.empty() : OptionalLong.of(whole(value, column));
                    }
                },
                (fault, e) -> {
                    Optional<SequenceException> about = about(column, e);
                    if (about.isPresent()) {
                        throw about.get();
                    }
                    throw e;
                });
    }

    /** Passes a sequence and a column to the visitor, from one snapshot, in the order that its contract requires. */
    @SuppressWarnings("try") // the snapshot is declared only to be closed
    <V extends Visitor> V run(
            CounterRows rows, Pools pools, String name, NumberColumn column, Function<SequenceState, V> visitor) {
        return transactions.reading(name, connection -> {
            try (Snapshot snapshot = dialect.snapshot(connection)) {
                SequenceState state =
                        rows.read(connection, name).orElseThrow(() -> new NotFound(name, failures.place()));
                Optional<PoolState> pool = pools.laidOut(connection, state);
                probe(connection, column.numbers());
                column.time().ifPresent(time -> probe(connection, time));
                V seeing = visitor.apply(state);
                pool.ifPresent(laidOut -> seeing.laidOut(laidOut.laidOut()));
                show(connection, column, state.definition().ascending(), seeing);
                return seeing;
            }
        });
    }

    /** Fails if the column does not exist. */
    private void probe(Connection connection, ColumnName column) {
        String sql = "SELECT " + quoted(column) + from(column) + " WHERE 1 " + dialect.operator("=") + " 0";
        each(connection, column, sql, OptionalLong.empty(), row -> {});
    }

    private void show(Connection connection, NumberColumn column, boolean ascending, Visitor visitor) {
        ColumnName numbers = column.numbers();
        String number = quoted(numbers);
        String direction = ascending ? "" : " DESC";
        String beginning = column.from().isEmpty()
                ? ""
                : " AND " + number + " " + dialect.operator(ascending ? ">=" : "<=") + " ?";
        String numbered = from(numbers) + " WHERE " + number + " IS NOT NULL" + beginning;
        String empty = "SELECT " + dialect.function("COUNT(*)") + from(numbers) + " WHERE " + number + " IS NULL";
        each(connection, numbers, empty, OptionalLong.empty(), row -> visitor.withoutNumber(row.getLong(1)));
        String byNumber = "SELECT " + number + numbered + " ORDER BY " + number + direction;
        each(connection, numbers, byNumber, column.from(), row -> visitor.number(whole(row.getObject(1), numbers)));
        column.time().ifPresent(time -> {
            String at = quoted(time);
            String byTime = "SELECT " + number + ", " + at + numbered + " AND " + at + " IS NOT NULL ORDER BY " + at
                    + ", " + number + direction;
            each(
                    connection,
                    time,
                    byTime,
                    column.from(),
                    row -> visitor.inTime(whole(row.getObject(1), numbers), () -> time(row, time)));
        });
    }

    /** Prepares a query whose rows the driver streams. Most drivers stream only inside a transaction. */
    private static PreparedStatement streamed(Connection connection, String sql, OptionalLong from)
            throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        // MySQL's own driver ignores any fetch size but this one.
        boolean mySqls = connection.getMetaData().getDriverName().startsWith("MySQL");
        statement.setFetchSize(mySqls ? Integer.MIN_VALUE : ROWS);
        if (from.isPresent()) {
            statement.setLong(1, from.getAsLong());
        }
        return statement;
    }

    /** Never retries after a failure: the visitor must not see the same rows twice. */
    private void each(Connection connection, ColumnName column, String sql, OptionalLong from, Show show) {
        try (PreparedStatement statement = streamed(connection, sql, from);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                show.row(row);
            }
        } catch (SQLException e) {
            throw about(column, e).orElseGet(() -> broken(column, e));
        }
    }

    private String time(ResultSet row, ColumnName column) {
        try {
            return String.valueOf(row.getString(2));
        } catch (SQLException e) {
            throw broken(column, e);
        }
    }

    private String from(ColumnName column) {
        return " FROM " + column.tableInSql(dialect::quote);
    }

    private String quoted(ColumnName column) {
        return dialect.quote(column.column());
    }

    /** Returns a value of a column as a number. */
    private static long whole(Object value, ColumnName column) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof Number && !(value instanceof Double) && !(value instanceof Float)) {
            try {
                return new BigDecimal(value.toString()).longValueExact();
            } catch (ArithmeticException notWhole) {
                // reported below like any other invalid value
            }
        }
        throw new Misconfigured(
                shown(column) + " holds '" + value + "', not a 64-bit integer; name a column of integers");
    }

    /** Returns what a failed query means if the failure concerns the column; names the column and the remedy. */
    private Optional<SequenceException> about(ColumnName column, SQLException e) {
        String database = failures.database();
        String table = column.qualifiedTable();
        String what = switch (failures.fault(e)) {
            case MISSING_TABLE -> database + " has no table '" + table + "'; name one that it has";
            case MISSING_COLUMN ->
                "table '" + table + "' of " + database + " has no column '" + column.column()
                        + "'; name one that it has";
            case WRONG_TYPE -> """
                %s cannot be compared or sorted here (%s); name a column of integers, \
                and one of times""".formatted(shown(column), SqlFailures.oneLine(e));
            case DENIED ->
                "this user may not read table '" + table + "' of " + database + " (" + SqlFailures.oneLine(e)
                        + "); grant it SELECT on that"
                        + (column.schema().isPresent() ? ", and on PostgreSQL USAGE on the schema" : "");
            default -> "";
        };
        return what.isEmpty() ? Optional.empty() : Optional.of(new Misconfigured(what, e));
    }

    private Unavailable broken(ColumnName column, SQLException e) {
        return new Unavailable(
                failures.database() + " lost the connection while reading " + shown(column) + " ("
                        + SqlFailures.oneLine(e) + "); run it again",
                e);
    }

    private static String shown(ColumnName column) {
        return "column '" + column.column() + "' of table '" + column.qualifiedTable() + "'";
    }
}
