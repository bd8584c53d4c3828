// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.SequenceException.Unavailable;
import dev.seriatim.jdbc.sql.AnswerWait;
import dev.seriatim.jdbc.sql.CounterRows;
import dev.seriatim.jdbc.sql.Dialect;
import dev.seriatim.jdbc.sql.Fault;
import dev.seriatim.jdbc.sql.PlacedTable;
import dev.seriatim.jdbc.sql.Scrubbing;
import dev.seriatim.jdbc.sql.SqlFailures;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SequenceTable;
import dev.seriatim.store.StoreUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Connects to the database of a store's URL without opening the store, for tools that examine a database. It creates and changes
 * nothing, and needs no table of this library.
 *
 * <p>Immutable and thread-safe.
 */
public final class DatabaseAccess {

    @FunctionalInterface
    interface Door {
        /**
         * Opens a connection; creates no database.
         *
         * @param readOnly whether the driver must not change anything either, where it can promise that
         * @param limit how long a server may take to log in
         * @throws SequenceException if it cannot be opened, without secrets
         */
        Connection open(boolean readOnly, Duration limit);
    }

    private static final String SQLITE = "sqlite:";
    private static final String JDBC = "jdbc:";

    private static final int SECONDS_TO_ANSWER = 10;

    private final String database;
    private final SequenceTable table;
    private final Scrubbing scrubbing;
    private final Door door;

    /** @param scrubbing removes the URL's secrets from what its driver throws */
    DatabaseAccess(String database, SequenceTable table, Scrubbing scrubbing, Door door) {
        this.database = database;
        this.table = table;
        this.scrubbing = scrubbing;
        this.door = door;
    }

    /** Returns whether a store's URL leads to a database that {@link #of} takes. */
    public static boolean takes(String storeUrl) {
        return storeUrl.startsWith(SQLITE) || storeUrl.startsWith(JDBC);
    }

    /**
     * Prepares the access to a store's database; connects to nothing.
     *
     * @throws Misconfigured if the URL is not one of this module's, or is wrong
     */
    public static DatabaseAccess of(String storeUrl) {
        if (storeUrl.startsWith(SQLITE)) {
            return SqliteDriver.access(StoreUrl.parse(storeUrl));
        }
        if (storeUrl.startsWith(JDBC)) {
            return JdbcUrl.parse(storeUrl).access();
        }
        throw new Misconfigured("store URL '" + StoreUrl.redacted(storeUrl)
                + "' names no SQL database; write sqlite:FILE or a jdbc: URL");
    }

    /** Returns the database for display, without secrets. */
    public String database() {
        return database;
    }

    /** Returns the name of the table that the URL names. */
    public String table() {
        return table.table();
    }

    /** Returns a driver's message on one line, without secrets. */
    public String message(SQLException e) {
        return SqlFailures.oneLine(scrubbing.of(e));
    }

    /** Uses a connection. */
    @FunctionalInterface
    public interface Work<R> {

        /** Returns the result; the connection is closed afterwards. */
        R on(Session session) throws SQLException;
    }

    /**
     * Opens a connection, runs {@code work} and closes the connection. A transaction that is still open is rolled back.
     *
     * @param readOnly whether the driver must not change anything either, where it can promise that
     * @param patience how long the server may take to log in, and to answer; add some time to the limit of the longest statement
     * @throws Misconfigured if the database is unknown, or this user may not connect
     * @throws Unavailable if the database cannot be reached, stops answering, or refuses a statement
     */
    public <R> R run(boolean readOnly, Duration patience, Work<R> work) {
        Connection connection = door.open(readOnly, patience);
        try {
            // Until it is closed. Where the driver has no limit, those of the statements must do.
            var unused = AnswerWait.atMost(connection, patience);
            return work.on(new Session(connection, Dialects.of(connection)));
        } catch (SQLException e) {
            throw failure(connection, e);
        } finally {
            close(connection);
        }
    }

    /** An open connection. */
    public final class Session {

        private final Connection connection;
        private final Dialect dialect;

        private Session(Connection connection, Dialect dialect) {
            this.connection = connection;
            this.dialect = dialect;
        }

        public Connection connection() {
            return connection;
        }

        /** Returns the engine's display name. */
        public String product() {
            return dialect.product();
        }

        /** Returns whether the server no longer answers. */
        public boolean isLost() {
            return DatabaseAccess.isLost(connection);
        }

        /**
         * Reads the sequences of this library; none if there is no such table. Hands rows that are no sequence to {@code broken}.
         *
         * @throws Misconfigured if the table cannot be read; its message is the reason
         */
        public List<SequenceState> sequences(BiConsumer<String, Misconfigured> broken) throws SQLException {
            try {
                PlacedTable place = PlacedTable.find(dialect, connection, table);
                CounterRows rows = new CounterRows(place, table);
                return place.missing(connection) ? List.of() : rows.readAll(connection, broken);
            } catch (SQLException e) {
                Fault fault = dialect.fault(e);
                // A locked file is not asked whether it is lost, which would wait for the lock again.
                if (fault == Fault.CONFLICT || isLost()) {
                    throw e;
                }
                return switch (fault) {
                    case MISSING_TABLE -> List.of();
                    case DENIED -> throw unread("this user may not read it", e);
                    case TIMED_OUT -> throw unread("another session holds it, or reading it took too long", e);
                    case MISSING_COLUMN -> throw unread("it is not a table of this library's sequences", e);
                    default -> throw e;
                };
            }
        }

        private Misconfigured unread(String why, SQLException e) {
            return new Misconfigured(why + " (" + message(e) + ")", e);
        }
    }

    private SequenceException failure(Connection connection, SQLException e) {
        String why = message(e);
        // These drivers open a file, or find the database, with the first statement.
        if (Dialects.fileFailure(database, why, e).isPresent() || NoConnection.spannerHasNone(why)) {
            return NoConnection.to(database, scrubbing.of(e));
        }
        return new Unavailable(
                database
                        + (isLost(connection)
                                ? " stopped answering while it was examined (" + why + "); run it again"
                                : " cannot be examined (" + why
                                        + "); allow more time for each statement, or name a user who may read its catalog"),
                e);
    }

    private static boolean isLost(Connection connection) {
        try {
            return connection.isClosed() || !connection.isValid(SECONDS_TO_ANSWER);
        } catch (SQLException e) {
            return true;
        }
    }

    private static void close(Connection connection) {
        try (connection) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException lost) {
            // It is closed all the same.
        }
    }
}
