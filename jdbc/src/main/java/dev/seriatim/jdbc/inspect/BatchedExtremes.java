// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.inspect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lowest and highest numbers of many columns, with one statement for many tables. If that statement fails, it reads
 * them one by one, so that a table that is locked or forbidden costs only itself. Not thread-safe.
 */
public final class BatchedExtremes {

    private static final int BATCH = 100;
    private static final int MOST_DIGITS = 1000;

    private final Connection connection;
    private final long end;
    private final UnaryOperator<String> quote;
    private final UnaryOperator<String> exact;
    private final Function<SQLException, String> reason;
    private final Skips skips;

    /**
     * The ends of a column.
     *
     * @param lowest empty if the table is empty
     * @param highest the same
     */
    public record Extremes(Optional<BigInteger> lowest, Optional<BigInteger> highest) {}

    /**
     * Prepares to read over a connection whose statements are limited already.
     *
     * @param end when to stop, by {@link System#nanoTime}
     * @param quote quotes any name
     * @param exact turns an expression into one that the driver returns without rounding
     * @param reason tells why a column could not be read
     */
    public BatchedExtremes(
            Connection connection,
            long end,
            UnaryOperator<String> quote,
            UnaryOperator<String> exact,
            Function<SQLException, String> reason,
            Skips skips) {
        this.connection = connection;
        this.end = end;
        this.quote = quote;
        this.exact = exact;
        this.reason = reason;
        this.skips = skips;
    }

    /** Returns the ends of those columns that could be read. */
    public Map<ColumnPath, Extremes> of(List<ColumnPath> columns) throws SQLException {
        Map<ColumnPath, Extremes> read = new HashMap<>();
        for (int from = 0; from < columns.size(); from += BATCH) {
            List<ColumnPath> batch = columns.subList(from, Math.min(columns.size(), from + BATCH));
            if (isOver(batch)) {
                continue;
            }
            try {
                read.putAll(together(batch));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                read.putAll(oneByOne(batch));
            }
        }
        return read;
    }

    private Map<ColumnPath, Extremes> oneByOne(List<ColumnPath> columns) throws SQLException {
        Map<ColumnPath, Extremes> read = new HashMap<>();
        for (ColumnPath column : columns) {
            if (isOver(List.of(column))) {
                continue;
            }
            try {
                read.putAll(together(List.of(column)));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                skips.add(column.toString(), reason.apply(e));
            }
        }
        return read;
    }

    private boolean isOver(List<ColumnPath> columns) {
        boolean over = System.nanoTime() - end > 0;
        if (over) {
            columns.forEach(column -> skips.add(column.toString(), Skips.TIME_IS_OVER));
        }
        return over;
    }

    private Map<ColumnPath, Extremes> together(List<ColumnPath> columns) throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            ObjectName table = columns.get(i).table();
            String column = quote.apply(columns.get(i).column());
            String from = " FROM " + (table.schema().isEmpty() ? "" : quote.apply(table.schema()) + ".")
                    + quote.apply(table.name());
            sql.append(i == 0 ? "SELECT " : " UNION ALL SELECT ")
                    .append(i)
                    .append(", (SELECT ")
                    .append(exact.apply("MIN(" + column + ")"))
                    .append(from)
                    .append("), (SELECT ")
                    .append(exact.apply("MAX(" + column + ")"))
                    .append(from)
                    .append(')');
        }
        Map<ColumnPath, Extremes> read = new HashMap<>();
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false); // a name may contain braces
            try (ResultSet row = statement.executeQuery(sql.toString())) {
                while (row.next()) {
                    read.put(
                            columns.get(row.getInt(1)),
                            new Extremes(
                                    number(row.getString(2), RoundingMode.CEILING),
                                    number(row.getString(3), RoundingMode.FLOOR)));
                }
            }
        }
        return read;
    }

    private static Optional<BigInteger> number(@Nullable String value, RoundingMode inwards) throws SQLException {
        try {
            return Optional.ofNullable(value).map(text -> whole(new BigDecimal(text), inwards));
        } catch (NumberFormatException e) {
            throw new SQLException("it holds '" + value + "', which is not a number", e);
        }
    }

    /** A column of SQLite's holds any text, such as 1e999999999, whose digits fill the memory. */
    private static BigInteger whole(BigDecimal value, RoundingMode inwards) {
        if (Math.abs((long) value.scale()) > MOST_DIGITS) {
            throw new NumberFormatException();
        }
        return value.setScale(0, inwards).toBigIntegerExact();
    }
}
