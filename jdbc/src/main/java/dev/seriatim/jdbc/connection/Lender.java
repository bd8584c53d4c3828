// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.SequenceException;
import dev.seriatim.SequenceException.Misconfigured;
import dev.seriatim.jdbc.dialect.SqlWork;
import dev.seriatim.jdbc.failure.ExhaustedPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Borrows connections of the user's own data source or pool, and gives them back in the auto-commit mode in which they came. A
 * transaction that is open on one when it comes is somebody else's: it is never ended, the connection is refused.
 *
 * <p>Thread-safe.
 *
 * @param check tells whether a transaction is open, before the engine is known
 * @param scrubbing takes secrets out of what the data source throws
 */
public record Lender(DataSource source, OpenTransactionCheck check, Scrubbing scrubbing, ConnectionWaits waits) {

    public Lender(DataSource source, OpenTransactionCheck check) {
        this(source, check, Scrubbing.OF_ANY_URL);
    }

    public Lender(DataSource source, OpenTransactionCheck check, Scrubbing scrubbing) {
        this(source, check, scrubbing, new ConnectionWaits());
    }

    /** Looks at something on one connection, in auto-commit mode, before it is known which engine this is. */
    public <R> R look(SqlWork<R> work) throws SQLException {
        Connections.Lease lease = borrow();
        try {
            return work.run(lease.connection());
        } finally {
            lease.release(true);
        }
    }

    /** A connection in auto-commit mode. */
    Connections.Lease borrow() throws SQLException {
        Connection connection = connect();
        boolean lent = false;
        try {
            boolean automatic = connection.getAutoCommit();
            if (!automatic) {
                leaveManualCommit(connection);
            }
            lent = true;
            return new Connections.Lease(connection, reusable -> giveBack(connection, automatic, reusable));
        } finally {
            if (!lent) {
                close(connection); // as it is: what is open on it is not ours
            }
        }
    }

    private Connection connect() throws SQLException {
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
    private void leaveManualCommit(Connection connection) throws SQLException {
        if (check.inTransaction(connection)) {
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
