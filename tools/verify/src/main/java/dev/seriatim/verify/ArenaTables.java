// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify;

import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.rowpool.PoolTable;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.PoolClaim;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreUrl;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.verify.CommittedState.Counted;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an arena in a database: of the sequences, of their pools, and a ledger for each gapless mode. What cannot be read is
 * {@link Unavailable}. Thread-safe.
 *
 * @param url may hold secrets
 * @param prefix the table of the sequences, and the prefix of all others
 */
record ArenaTables(JdbcStore store, String url, String prefix) {

    /** Rows of a ledger per statement, so that no side keeps a snapshot for long. */
    private static final int ROWS_AT_A_TIME = 50_000;

    void createLedger(String ledger) throws SQLException {
        execute("CREATE TABLE " + quote(ledger) + " (n " + dialect().numberType() + " NOT NULL PRIMARY KEY)"
                + dialect().tableOptions());
    }

    /** Creates the table of pools, which otherwise the first pool would create. */
    void createPools() throws SQLException {
        PlacedTable placed = new PlacedTable(dialect(), SequenceTable.own(poolTable()), Optional.empty());
        store.<Boolean, SQLException>inTransaction(connection -> {
            for (PoolClaim claim :
                    dialect().poolClaim(quote(poolTable())).stream().toList()) {
                new PoolTable(placed, claim, true).create(connection);
            }
            return true;
        });
    }

    /** Returns the committed state of a gapless mode at one moment, by one statement; cheap enough to call while others draw. */
    CommittedState state(ArenaSequence of) {
        boolean pooled = of.mode() == DrawMode.POOLED;
        String sequence = " FROM " + quote(prefix) + " WHERE " + quote("name") + " "
                + dialect().operator("=") + " ?";
        String query = "SELECT (SELECT " + quote("next_value") + sequence + ")"
                + counted("n", " FROM " + quote(of.ledger()))
                + (pooled ? counted("value", fromPool()) : "");
        Object[] names = Collections.nCopies(pooled ? 4 : 1, of.sequence()).toArray();
        return query(
                query,
                row -> {
                    row.next();
                    Counted stored = counted(row, 2);
                    return new CommittedState(
                            ArenaSequence.START, row.getLong(1), stored, pooled ? counted(row, 5) : Counted.NONE);
                },
                names);
    }

    private String counted(String column, String from) {
        return ", (SELECT " + dialect().function("count") + "(*)" + from + "), (SELECT "
                + dialect().function("min") + "(" + column + ")" + from + "), (SELECT "
                + dialect().function("max") + "(" + column + ")" + from + ")";
    }

    private static Counted counted(ResultSet row, int first) throws SQLException {
        return new Counted(row.getLong(first), row.getLong(first + 1), row.getLong(first + 2));
    }

    /** Returns whether a table is there. */
    boolean exists(String table) {
        try {
            execute("SELECT 1 FROM " + quote(table) + " WHERE 1 = 0");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Returns the values of a query's columns, row by row. */
    long[] all(int columns, String query, Object... parameters) {
        Rows<long[]> rows = row -> {
            LongStream.Builder values = LongStream.builder();
            while (row.next()) {
                for (int column = 1; column <= columns; column++) {
                    values.add(row.getLong(column));
                }
            }
            return values.build().toArray();
        };
        return query(query, rows, parameters);
    }

    /** Passes on the committed numbers of a gapless mode, in order, and returns their count. Those committed meanwhile may be missing. */
    long ledger(ArenaSequence of, LongConsumer numbers) {
        boolean top = dialect().product().startsWith("SQL Server");
        String query = "SELECT " + (top ? "TOP (" + ROWS_AT_A_TIME + ") " : "") + "n FROM " + quote(of.ledger())
                + " WHERE n " + dialect().operator(">") + " ? ORDER BY n" + (top ? "" : " LIMIT " + ROWS_AT_A_TIME);
        long all = 0;
        long last = Long.MIN_VALUE;
        long[] rows;
        do {
            rows = all(1, query, last);
            for (long number : rows) {
                numbers.accept(number);
                last = number;
            }
            all += rows.length;
        } while (rows.length == ROWS_AT_A_TIME);
        return all;
    }

    /** Returns the numbers laid out for a mode, in order; none except in POOLED. */
    long[] laidOut(ArenaSequence of) {
        return of.mode() == DrawMode.POOLED
                ? all(1, "SELECT value" + fromPool() + " ORDER BY value", of.sequence())
                : new long[0];
    }

    private String fromPool() {
        return " FROM " + quote(poolTable()) + " WHERE name " + dialect().operator("=") + " ? AND place "
                + dialect().operator(">") + " 0";
    }

    private interface Rows<R> {
        R read(ResultSet rows) throws SQLException;
    }

    private <R> R query(String sql, Rows<R> rows, Object... parameters) {
        TransactionScope.Work<Connection, R, SQLException> work = connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                try (ResultSet found = statement.executeQuery()) {
                    return rows.read(found);
                }
            }
        };
        try {
            return store.inTransaction(work);
        } catch (SQLException | CommitOutcomeUnknown | Overloaded e) {
            // A read whose commit has an unknown outcome counts as failed.
            String why = StoreUrl.scrub(url, String.valueOf(e.getMessage())).replace('\n', ' ');
            throw new Unavailable("cannot read the committed numbers in " + store + " (" + why + ")", e);
        }
    }

    List<String> removal(List<String> ledgers) {
        List<String> tables = new ArrayList<>(ledgers);
        tables.add(poolTable());
        tables.add(prefix);
        return tables.stream()
                .map(table -> "DROP TABLE IF EXISTS " + quote(table))
                .toList();
    }

    /** Returns whether a failure says that this user lacks a privilege. */
    boolean isDenied(@Nullable Throwable failure) {
        return failure instanceof SQLException e && dialect().fault(e) == Fault.DENIED;
    }

    void execute(String sql) throws SQLException {
        TransactionScope.Work<Connection, Boolean, SQLException> work = connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        };
        store.inTransaction(work);
    }

    private String poolTable() {
        return prefix + "_pool";
    }

    private Dialect dialect() {
        return store.dialect();
    }

    String quote(String identifier) {
        return dialect().quote(identifier);
    }
}
