// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.connection;

import dev.seriatim.jdbc.dialect.Dialect;
import dev.seriatim.jdbc.dialect.DurableConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Connections of the user's own data source or pool: bounded and kept by that one, and given back in the auto-commit mode in
 * which they came. A transaction that is open on one when it comes is somebody else's: it is never ended, the connection is
 * refused. A connection that cannot be rolled back is closed, and never used again.
 *
 * <p>Thread-safe.
 */
public record BorrowedConnections(Lender lender, Dialect dialect, Runnable onClose) implements Connections {

    @Override
    public Lease forWriting(long deadline) throws SQLException {
        Lease lease = forReading(deadline);
        boolean durable = false;
        try {
            DurableConnections.makeDurable(dialect, lease.connection());
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
        return lender.borrow();
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return lender.waits().lasting(atLeast, database);
    }

    @Override
    public void create(long deadline) {
        // Its owner has connected to it, so it is there.
    }

    @Override
    public void close() {
        onClose.run();
    }
}
