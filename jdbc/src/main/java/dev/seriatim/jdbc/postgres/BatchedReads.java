// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.postgres;

import dev.seriatim.jdbc.inspect.Skips;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;

/**
 * Reads one row of each of many sequences or tables, with one statement for a batch of them. A batch that fails, because one of them is
 * locked, slow or dropped meanwhile, is read one by one.
 *
 * <p>Each statement is a transaction of its own, so that few locks are held, and none for long: the server's table of locks is small.
 */
final class BatchedReads {

    private static final int BATCH = 100;

    private final LimitedReads reads;
    private final Skips skips;
    private final long end;

    BatchedReads(LimitedReads reads, Skips skips, long end) {
        this.reads = reads;
        this.skips = skips;
        this.end = end;
    }

    /** What is done with the row of one of them. */
    @FunctionalInterface
    interface Reader<T> {
        void row(T of, ResultSet row) throws SQLException;
    }

    /**
     * Reads them.
     *
     * @param query returns the query of one of them, after {@code SELECT}; its row begins at the second column
     * @param subject returns its name for display
     */
    <T> void read(List<T> all, Function<T, String> query, Function<T, String> subject, Reader<T> reader)
            throws SQLException {
        for (int from = 0; from < all.size(); from += BATCH) {
            List<T> some = all.subList(from, Math.min(all.size(), from + BATCH));
            if (isOver()) {
                leaveOut(all.subList(from, all.size()), subject);
                return;
            }
            try {
                reads.many(connection -> run(connection, some, query, reader));
            } catch (SQLException e) {
                checkAlive(e);
                oneByOne(some, query, subject, reader);
            }
        }
    }

    /** Reads them with a statement for each. */
    <T> void oneByOne(List<T> all, Function<T, String> query, Function<T, String> subject, Reader<T> reader)
            throws SQLException {
        for (int i = 0; i < all.size(); i++) {
            if (isOver()) {
                leaveOut(all.subList(i, all.size()), subject);
                return;
            }
            List<T> one = all.subList(i, i + 1);
            try {
                reads.alone(connection -> run(connection, one, query, reader));
            } catch (SQLException e) {
                checkAlive(e);
                skips.add(subject.apply(one.get(0)), reads.reason(e));
            }
        }
    }

    private static <T> int run(Connection connection, List<T> some, Function<T, String> query, Reader<T> reader)
            throws SQLException {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < some.size(); i++) {
            sql.append(i == 0 ? "" : " UNION ALL ")
                    .append("SELECT ")
                    .append(i)
                    .append(", ")
                    .append(query.apply(some.get(i)));
        }
        try (Statement statement = LimitedReads.statement(connection);
                ResultSet row = statement.executeQuery(sql.toString())) {
            int rows = 0;
            while (row.next()) {
                reader.row(some.get(row.getInt(1)), row);
                rows++;
            }
            return rows;
        }
    }

    private boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    private <T> void leaveOut(List<T> rest, Function<T, String> subject) {
        rest.forEach(one -> skips.add(subject.apply(one), "the inspection's time was over"));
    }

    private void checkAlive(SQLException e) throws SQLException {
        if (reads.connection().isClosed()) {
            throw e;
        }
    }
}
