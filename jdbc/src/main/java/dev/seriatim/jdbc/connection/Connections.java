// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.jdbc.failure.MissingDatabase;
import dev.seriatim.jdbc.failure.NoTurn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Where connections come from. They are lent in auto-commit mode and come back in it, or are not to be used again.
 *
 * <p>Implementations are thread-safe; waiting is fair, bounded by the deadline and interruptible.
 */
public interface Connections extends AutoCloseable {

    /** A connection that is its borrower's until it is released. */
    record Lease(Connection connection, Release release) {

        public void release(boolean reusable) {
            release.done(reusable);
        }
    }

    /** Takes a connection back; never throws. */
    @FunctionalInterface
    interface Release {
        void done(boolean reusable);
    }

    /**
     * A connection whose commits are durable.
     *
     * @param deadline in the sense of {@link System#nanoTime()}
     * @throws NoTurn when none came free in time
     * @throws MissingDatabase when there is no database to connect to
     */
    Lease forWriting(long deadline) throws SQLException, InterruptedException;

    /** As {@link #forWriting}, for a transaction that goes from one thread to another. */
    default Lease forSharing(long deadline) throws SQLException, InterruptedException {
        return forWriting(deadline);
    }

    /**
     * A connection for a single query outside of transactions.
     *
     * @throws MissingDatabase when there is no database to connect to
     */
    Lease forReading(long deadline) throws SQLException, InterruptedException;

    /** What its borrowers wait for before they reach the database, the first for at least so long; see {@link ConnectionWaits}. */
    default Optional<String> awaits(Duration atLeast, String database) {
        return Optional.empty();
    }

    /** What to know of the database, for people, behind its name; mostly empty. */
    default String note() {
        return "";
    }

    /** Creates the database if that is missing and can be created by connecting to it. */
    void create(long deadline) throws SQLException, InterruptedException;

    @Override
    void close();
}
