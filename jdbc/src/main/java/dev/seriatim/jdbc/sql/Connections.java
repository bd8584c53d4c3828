// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * A source of connections. Connections are lent in auto-commit mode and are returned in that mode, or are not reused.
 * Implementations are thread-safe; waiting is fair, limited by the deadline and interruptible.
 */
public interface Connections extends AutoCloseable {

    /**
     * A connection that belongs to its borrower until it is released.
     *
     * @param connection for the store's own statements
     * @param lent the same session, for callers' code
     */
    record Lease(Connection connection, Connection lent, Release release) {

        public Lease(Connection connection, Release release) {
            this(connection, connection, release);
        }

        public void release(boolean reusable) {
            release.done(reusable);
        }
    }

    /** Returns a connection to its source; never throws. */
    @FunctionalInterface
    interface Release {
        void done(boolean reusable);
    }

    /**
     * Borrows a connection whose commits are durable.
     *
     * @param deadline as a {@link System#nanoTime()} value
     * @throws SQLException also if none became free in time
     * @throws MissingDatabase if the database does not exist
     */
    Lease forWriting(long deadline) throws SQLException, InterruptedException;

    /** Like {@link #forWriting}, for a transaction in which callers work, who may need another connection meanwhile. */
    default Lease forCallers(long deadline) throws SQLException, InterruptedException {
        return forWriting(deadline);
    }

    /** Like {@link #forCallers}, for a transaction that moves between threads. */
    default Lease forSharing(long deadline) throws SQLException, InterruptedException {
        return forCallers(deadline);
    }

    /** Borrows a connection for a single query outside transactions. */
    default Lease forReading(long deadline) throws SQLException, InterruptedException {
        return forWriting(deadline);
    }

    /** Like {@link #forReading}, for a query that follows others at short intervals. */
    default Lease forFrequentReading(long deadline) throws SQLException, InterruptedException {
        return forReading(deadline);
    }

    /** Returns an idle connection that was used a moment ago, or none. Never blocks and sends no query. */
    default Optional<Lease> idle() {
        return Optional.empty();
    }

    /** Like {@link #idle}, for {@link #forSharing}. */
    default Optional<Lease> idleForSharing() {
        return Optional.empty();
    }

    /** Returns what borrowers wait for, if the first has waited for at least {@code atLeast}; see {@link Lender}. */
    default Optional<String> awaits(Duration atLeast, String database) {
        return Optional.empty();
    }

    /** Returns whether only the store uses the sessions that {@link #forWriting} lends. */
    default boolean ownSessions() {
        return false;
    }

    /** Returns a note to display after the database's name; usually empty. */
    default String note() {
        return "";
    }

    /** Creates the database if it is missing and connecting can create it; an administrator creates that of a server. */
    default void create(long deadline) throws SQLException, InterruptedException {}

    @Override
    void close();
}
