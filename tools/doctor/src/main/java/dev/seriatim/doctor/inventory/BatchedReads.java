// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads one row of each of many sequences or tables, with one statement for a batch of them. If that statement fails, it reads them
 * one by one, so that a table that is locked, forbidden or dropped meanwhile costs only itself.
 *
 * @param end when to stop, by {@link System#nanoTime}
 * @param runner runs the statements, whose time is limited
 * @param reason returns why one of them could not be read
 */
record BatchedReads(
        Connection connection, long end, Skips skips, Runner runner, Function<SQLException, String> reason) {

    static final int BATCH = 100;

    /** Runs a statement, perhaps in a transaction of its own. */
    @FunctionalInterface
    interface Runner {

        /** Runs {@code read}, which locks one object, or many. */
        void run(boolean many, Read read) throws SQLException;
    }

    /** Runs a statement. */
    @FunctionalInterface
    interface Read {
        void on(Connection connection) throws SQLException;
    }

    /** Uses the row of one of them, from its second column on. */
    @FunctionalInterface
    interface Reader<T> {
        void row(T of, ResultSet row) throws SQLException;
    }

    /** Handles the failure of one of them. */
    @FunctionalInterface
    interface Failure<T> {
        void failed(T of, SQLException e);
    }

    /**
     * Reads them.
     *
     * @param query returns the query of one of them, after {@code SELECT}
     * @param subject returns its name for display
     */
    <T> void read(List<T> all, Function<T, String> query, Function<T, String> subject, Reader<T> reader)
            throws SQLException {
        read(BATCH, all, query, subject, reader, (of, e) -> skips.add(subject.apply(of), reason.apply(e)));
    }

    /** Reads them, {@code batch} with each statement. */
    <T> void read(
            int batch,
            List<T> all,
            Function<T, String> query,
            Function<T, String> subject,
            Reader<T> reader,
            Failure<T> failure)
            throws SQLException {
        for (int from = 0; from < all.size(); from += batch) {
            List<T> some = all.subList(from, Math.min(all.size(), from + batch));
            if (System.nanoTime() - end > 0) {
                all.subList(from, all.size()).forEach(one -> skips.add(subject.apply(one), Skips.TIME_IS_OVER));
                return;
            }
            try {
                runner.run(some.size() > 1, open -> run(open, some, query, reader));
            } catch (SQLException e) {
                if (connection.isClosed()) {
                    throw e;
                }
                if (some.size() == 1) {
                    failure.failed(some.get(0), e);
                } else {
                    read(1, some, query, subject, reader, failure);
                }
            }
        }
    }

    /** Returns the ends of the columns that could be read. */
    <T> Map<T, Extremes> extremes(int batch, List<T> columns, Function<T, String> query, Function<T, String> subject)
            throws SQLException {
        Map<T, Extremes> found = new HashMap<>();
        Reader<T> reader = (column, row) -> {
            try {
                found.put(column, Extremes.of(row));
            } catch (NumberFormatException e) {
                skips.add(subject.apply(column), "it holds what is no number");
            }
        };
        Failure<T> failure = (column, e) -> skips.add(subject.apply(column), reason.apply(e));
        read(batch, columns, query, subject, reader, failure);
        return found;
    }

    /** Returns the ends of columns whose names {@code quote} quotes. {@code exact} keeps an expression from being rounded. */
    Map<ColumnPath, Extremes> extremes(
            List<ColumnPath> columns, Function<String, String> quote, Function<String, String> exact)
            throws SQLException {
        return extremes(
                BATCH,
                columns,
                path -> {
                    ObjectName table = path.table();
                    String column = quote.apply(path.column());
                    String from = " FROM " + (table.schema().isEmpty() ? "" : quote.apply(table.schema()) + ".")
                            + quote.apply(table.name());
                    return "(SELECT " + exact.apply("MIN(" + column + ")") + from + "), (SELECT "
                            + exact.apply("MAX(" + column + ")") + from + ")";
                },
                ColumnPath::toString);
    }

    private static <T> void run(Connection connection, List<T> some, Function<T, String> query, Reader<T> reader)
            throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < some.size(); i++) {
            sql.append(i == 0 ? "SELECT " : " UNION ALL SELECT ")
                    .append(i)
                    .append(", ")
                    .append(query.apply(some.get(i)));
        }
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false); // a name may contain braces
            try (ResultSet row = statement.executeQuery(sql.toString())) {
                while (row.next()) {
                    reader.row(some.get(row.getInt(1)), row);
                }
            }
        }
    }
}
