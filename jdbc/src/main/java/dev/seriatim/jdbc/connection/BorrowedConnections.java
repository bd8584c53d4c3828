// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.Dialects;
import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.failure.ExhaustedPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Connections of the user's own data source or pool: bounded and kept by that one, and given back in the auto-commit mode in
 * which they came. A transaction that is open on one when it comes is somebody else's: it is never ended, the connection is
 * refused. A connection that cannot be rolled back is closed, and never used again.
 *
 * <p>Thread-safe.
 */
public record BorrowedConnections(
        DataSource source, Dialect dialect, Scrubbing scrubbing, Runnable onClose, ConnectionWaits waits)
        implements Connections {

    public BorrowedConnections(DataSource source, Dialect dialect, Runnable onClose) {
        this(source, dialect, Scrubbing.OF_ANY_URL, onClose);
    }

    public BorrowedConnections(DataSource source, Dialect dialect, Scrubbing scrubbing, Runnable onClose) {
        this(source, dialect, scrubbing, onClose, new ConnectionWaits());
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException {
        Lease lease = forReading(deadline);
        boolean durable = false;
        try {
            dialect.makeDurable(lease.connection());
            durable = true;
            return lease;
        } finally {
            if (!durable) {
                lease.release(true); // nothing is open on it
            }
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException {
        return borrow(source, scrubbing, waits);
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return waits.lasting(atLeast, database);
    }

    /** Looks at something on one connection, in auto-commit mode, before it is known which engine this is. */
    public static <R> R look(DataSource source, Scrubbing scrubbing, Transactions.Work<R> work) throws SQLException {
        Lease lease = borrow(source, scrubbing, new ConnectionWaits());
        try {
            return work.run(lease.connection());
        } finally {
            lease.release(true);
        }
    }

    @Override
    public void create(long deadline) {
        // Its owner has connected to it, so it is there.
    }

    @Override
    public void close() {
        onClose.run();
    }

    private static Lease borrow(DataSource source, Scrubbing scrubbing, ConnectionWaits waits) throws SQLException {
        Connection connection = connect(source, scrubbing, waits);
        boolean lent = false;
        try {
            boolean automatic = connection.getAutoCommit();
            if (!automatic) {
                leaveManualCommit(connection);
            }
            lent = true;
            return new Lease(connection, reusable -> giveBack(connection, automatic, reusable));
        } finally {
            if (!lent) {
                close(connection); // as it is: what is open on it is not ours
            }
        }
    }

    private static Connection connect(DataSource source, Scrubbing scrubbing, ConnectionWaits waits)
            throws SQLException {
        long began = System.nanoTime();
        try {
            return waits.connection(source);
        } catch (SQLException e) {
            SQLException shown = scrubbing.of(e);
            throw ExhaustedPool.is(e)
                    ? ExhaustedPool.told(shown, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                    : shown;
        } catch (SequenceException e) {
            throw e;
        } catch (RuntimeException e) {
            throw scrubbing.of(e);
        }
    }

    /** A pool may lend connections in this mode, with no transaction on them; then there is nothing to be ended. */
    private static void leaveManualCommit(Connection connection) throws SQLException {
        if (Dialects.inTransaction(connection)) {
            throw othersTransaction();
        }
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            if (stillThere(connection)) {
                throw othersTransaction(); // a transaction monitor's, which watches over its connections
            }
            throw e;
        }
    }

    private static boolean stillThere(Connection connection) {
        try {
            return !connection.isClosed() && !connection.getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }

    private static Misconfigured othersTransaction() {
        return new Misconfigured("the data source lends a connection on which a transaction of its caller is open, and"
                + " ending that is not Seriatim's to do; give the store the data source below it (the target of Spring's"
                + " TransactionAwareDataSourceProxy, one outside JTA), or call this outside of the transaction");
    }

    private static void giveBack(Connection connection, boolean automatic, boolean reusable) {
        if (!reusable) {
            Discarded.discard(connection, automatic);
            return;
        }
        try {
            if (!automatic) {
                connection.setAutoCommit(false);
            }
        } catch (Throwable e) {
            // What was done is committed or rolled back; a pool finds out by itself that this connection is broken.
        } finally {
            close(connection);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (Throwable e) {
            // Whether it goes back or not changes nothing about what was done.
        }
    }
}
