// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.audit;

import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.pool.Pools;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Snapshot;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.ColumnScanner.Visitor;
import dev.seriatim.store.NumberColumn;
import dev.seriatim.store.PoolState;
import dev.seriatim.store.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Passes a sequence and a column of a user's table to a visitor, from one snapshot. The database sorts the rows; the
 * visitor checks them as they stream in.
 *
 * <p>Immutable and thread-safe.
 */
public record ColumnScan(
        Dialect dialect, CounterRows rows, Transactions transactions, SqlFailures failures, Pools pools) {

    @FunctionalInterface
    private interface Query {
        PreparedStatement prepare(Connection connection) throws SQLException;
    }

    @FunctionalInterface
    private interface Show {
        void row(ResultSet row) throws SQLException;
    }

    /** Passes everything to the visitor, in the order that its contract requires. */
    @SuppressWarnings("try") // the snapshot is declared only to be closed
    public <V extends Visitor> V run(String name, NumberColumn column, Function<SequenceState, V> visitor) {
        TableColumn numbers = new TableColumn(column.numbers());
        Optional<TableColumn> times = column.time().map(TableColumn::new);
        return transactions.reading(name, connection -> {
            try (Snapshot snapshot = dialect.snapshot(connection)) {
                SequenceState state =
                        rows.read(connection, name).orElseThrow(() -> new NotFound(name, failures.place()));
                Optional<PoolState> pool = pools.laidOut(connection, state);
                boolean up = state.definition().ascending();
                ColumnQueries queries = new ColumnQueries(dialect, numbers, column.from(), up);
                each(connection, numbers, c -> queries.probe(c, numbers), row -> {});
                times.ifPresent(time -> each(connection, time, c -> queries.probe(c, time), row -> {}));
                V seeing = visitor.apply(state);
                pool.ifPresent(laidOut -> seeing.laidOut(laidOut.laidOut()));
                show(connection, queries, times, seeing);
                return seeing;
            }
        });
    }

    private void show(Connection connection, ColumnQueries queries, Optional<TableColumn> times, Visitor visitor) {
        TableColumn numbers = queries.numbers();
        each(connection, numbers, queries::countEmpty, row -> visitor.withoutNumber(row.getLong(1)));
        each(connection, numbers, queries::byNumber, row -> visitor.number(numbers.whole(row.getObject(1))));
        times.ifPresent(time -> each(
                connection,
                time,
                c -> queries.byTime(c, time),
                row -> visitor.inTime(numbers.whole(row.getObject(1)), () -> time(row, time))));
    }

    /** Never retries after a failure: the visitor must not see the same rows twice. */
    private void each(Connection connection, TableColumn column, Query query, Show show) {
        try (PreparedStatement statement = query.prepare(connection);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                show.row(row);
            }
        } catch (SQLException e) {
            throw column.explain(failures.fault(e), failures.database(), e).orElseGet(() -> broken(column, e));
        }
    }

    private String time(ResultSet row, TableColumn column) {
        try {
            return String.valueOf(row.getString(2));
        } catch (SQLException e) {
            throw broken(column, e);
        }
    }

    private Unavailable broken(TableColumn column, SQLException e) {
        return new Unavailable(
                failures.database() + " lost the connection while reading " + column + " (" + SqlFailures.oneLine(e)
                        + "); run it again",
                e);
    }
}
