// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Connections of the user's data source or pool, which limits and keeps them; a {@link Lender} borrows them.
 * Thread-safe.
 */
public record BorrowedConnections(Lender lender, Dialect dialect, Runnable onClose) implements Connections {

    @Override
    public Lease forWriting(long deadline) throws SQLException {
        Lease lease = forReading(deadline);
        try {
            dialect.makeDurable(lease.connection());
            return lease;
        } catch (Throwable e) {
            lease.release(true); // no transaction is open on it
            throw e;
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException {
        Lease lease = lender.borrow();
        try {
            Runnable restore = dialect.nameNothing(lease.connection());
            return new Lease(lease.connection(), reusable -> {
                try {
                    restore.run();
                } finally {
                    lease.release(reusable);
                }
            });
        } catch (Throwable e) {
            lease.release(true); // no transaction is open on it
            throw e;
        }
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return lender.awaits(atLeast, database);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
