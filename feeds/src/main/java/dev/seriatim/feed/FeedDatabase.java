// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.feed;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.NotFound;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.jdbc.sql.SqlWork;
import dev.seriatim.jdbc.sql.Transactions;
import dev.seriatim.store.SequenceTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A database's feeds: their table, and the transactions in which they are made. Thread-safe. */
final class FeedDatabase {

    private static final String TABLE = "seriatim_feed";
    private static final String RIGHTS =
            "'seriatim feed create NAME --print', run by the table's owner, shows the required grants";

    final Dialect dialect;
    final SqlFailures failures;
    final Transactions transactions;
    final FeedSql sql;

    /** Throws {@link Misconfigured} if the engine cannot keep what a feed promises. */
    FeedDatabase(JdbcStore store) {
        dialect = store.dialect();
        failures = store.failures("the feeds", RIGHTS);
        transactions = store.transactions(failures);
        SequenceTable feeds = SequenceTable.own(TABLE);
        PlacedTable found = reading(
                transactions,
                connection -> PlacedTable.find(dialect, connection, feeds),
                () -> new PlacedTable(dialect, feeds, Optional.empty())); // a file that does not exist yet
        sql = FeedSql.of(dialect, found);
    }

    /** Runs a query; returns this if a table is missing. */
    private static <R> R reading(Transactions transactions, SqlWork<R> query, Supplier<R> instead) {
        return transactions.reading(SqlFailures.UNNAMED, query, (fault, e) -> {
            if (fault == Fault.MISSING_TABLE) {
                return instead.get();
            }
            throw e;
        });
    }

    /** Runs a query on a feed's tables outside transactions. */
    <R> R read(FeedTables feed, SqlWork<R> query) {
        return found(feed, () -> transactions.reading(SqlFailures.UNNAMED, present(feed, query)));
    }

    /** Like {@link #read}, for a query that may take long. */
    <R> R readLong(FeedTables feed, SqlWork<R> query) {
        return found(feed, () -> transactions.forLongQueries().reading(SqlFailures.UNNAMED, present(feed, query)));
    }

    /** Runs work on a feed's tables in a transaction of its own, again after conflicts. */
    <R> R write(FeedTables feed, SqlWork<R> work) {
        return found(feed, () -> transactions.retrying(SqlFailures.UNNAMED, present(feed, work)));
    }

    /** Like {@link #write}, for work that may take long. */
    <R> R writeLong(FeedTables feed, SqlWork<R> work) {
        return found(feed, () -> transactions.forLongQueries().retrying(SqlFailures.UNNAMED, present(feed, work)));
    }

    /** Distinguishes a missing feed from a feed with a missing table. */
    private <R> R found(FeedTables feed, Supplier<R> work) {
        try {
            return work.get();
        } catch (NotFound e) {
            if (find(feed.name()).isEmpty()) {
                throw e;
            }
            throw gone(feed, e);
        }
    }

    private static Misconfigured gone(FeedTables feed, NotFound cause) {
        String which = Stream.of(cause.getSuppressed())
                .filter(SQLException.class::isInstance)
                .findFirst()
                .map(e -> SqlFailures.oneLine((SQLException) e))
                .orElse("a table is gone");
        return new Misconfigured(
                "feed '" + feed.name() + "': " + which + "; run 'seriatim feed drop " + feed.name()
                        + "', and create the feed again",
                cause);
    }

    private <R> SqlWork<R> present(FeedTables feed, SqlWork<R> work) {
        return connection -> {
            try {
                return work.run(connection);
            } catch (SQLException e) {
                if (failures.fault(e) == Fault.MISSING_TABLE) {
                    NotFound missing = missing(feed.name());
                    missing.addSuppressed(e);
                    throw missing;
                }
                if (failures.fault(e) == Fault.MISSING_COLUMN) {
                    throw new Misconfigured("feed '" + feed.name() + "': " + SqlFailures.oneLine(e)
                            + "; name columns of table '" + feed.table() + "'");
                }
                throw e;
            }
        };
    }

    /** Runs work on a feed's tables in a transaction that others end. */
    <R> R inside(FeedTables feed, Connection transaction, SqlWork<R> work) {
        try {
            return present(feed, work).run(transaction);
        } catch (NotFound e) {
            throw gone(feed, e);
        } catch (SQLException e) {
            throw failures.own(SqlFailures.UNNAMED, e);
        }
    }

    NotFound missing(String feed) {
        return new NotFound("feed '" + feed + "' not found in " + failures.database()
                + "; 'seriatim feed list' shows the feeds, 'seriatim feed create TABLE' makes one");
    }

    Optional<FeedTables> find(String feed) {
        return list().stream().filter(each -> each.name().equals(feed)).findFirst();
    }

    List<FeedTables> list() {
        return reading(
                transactions, connection -> sql.feeds.missing(connection) ? List.of() : list(connection), List::of);
    }

    private List<FeedTables> list(Connection connection) throws SQLException {
        return FeedSql.rows(
                connection,
                sql.statements("list").get(0),
                row -> new FeedTables(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6),
                        List.of(row.getString(7).split("\n", -1)),
                        row.getInt(8) == 1));
    }

    /** Makes a feed, or renews the view of one that is there. */
    FeedTables create(FeedDefinition definition) {
        FeedSql.Source source = source(definition);
        FeedTables feed = FeedTables.of(definition, source.schema(), source.key());
        Optional<FeedTables> present = find(feed.name());
        if (present.isPresent()) {
            present.get().checkSame(feed);
            return write(present.get(), connection -> {
                sql.renew(connection, present.get(), source);
                return present.get();
            });
        }
        createShared();
        try {
            return transactions.forLongQueries().retrying(SqlFailures.UNNAMED, connection -> {
                sql.create(connection, feed, source);
                return feed;
            });
        } catch (SequenceException e) {
            return find(feed.name()).orElseThrow(() -> e); // another process has made it
        }
    }

    /** Returns the script that makes a feed, and the privileges that programs need. */
    String script(FeedDefinition definition) {
        FeedSql.Source source = source(definition);
        FeedTables feed = FeedTables.of(definition, source.schema(), source.key());
        List<String> statements = new ArrayList<>(sql.statements("shared"));
        statements.add("BEGIN");
        statements.addAll(sql.creation(feed, source));
        statements.add("COMMIT");
        sql.statements("grant", feed).forEach(grant -> statements.add("-- " + grant));
        return String.join(";\n", statements) + ";\n";
    }

    private FeedSql.Source source(FeedDefinition definition) {
        String table = definition.table();
        boolean ours = table.startsWith("seriatim_")
                || list().stream()
                        .anyMatch(
                                feed -> List.of(feed.inbox(), feed.positions()).contains(table));
        if (ours) {
            throw new Misconfigured("table '" + table + "' is one of Seriatim's own; name one of yours");
        }
        return reading(transactions, connection -> sql.find(connection, definition), () -> {
            throw FeedSql.missing(definition);
        });
    }

    private void createShared() {
        transactions.createDatabase();
        run(sql.statements("shared"));
    }

    /** Creates the SQL functions, if the engine has them; returns whether it has. */
    boolean install() {
        createShared();
        List<String> functions = sql.statements("function");
        run(functions);
        return !functions.isEmpty();
    }

    void drop(FeedTables feed) {
        transactions.retrying(SqlFailures.UNNAMED, connection -> {
            sql.locking(connection, feed, sql.removal(feed));
            return feed;
        });
    }

    /** Runs statements that create what is missing. */
    void run(List<String> statements) {
        transactions.creating("").retrying(SqlFailures.UNNAMED, connection -> {
            FeedSql.run(connection, statements);
            return statements;
        });
    }
}
