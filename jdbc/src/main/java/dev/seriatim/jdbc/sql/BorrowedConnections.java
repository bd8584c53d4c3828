// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Connections of the user's data source or pool, which limits and keeps them; a {@link Lender} borrows them.
 * Thread-safe.
 *
 * @param own those of the store's own work, if it keeps some; then only callers' transactions borrow
 */
public record BorrowedConnections(Lender lender, Dialect dialect, Optional<KeptConnections> own, Runnable onClose)
        implements Connections {

    public BorrowedConnections(Lender lender, Dialect dialect, Runnable onClose) {
        this(lender, dialect, Optional.empty(), onClose);
    }

    @Override
    public Lease forWriting(long deadline) throws SQLException, InterruptedException {
        return own.isPresent() ? own.get().forWriting(deadline) : forCallers(deadline);
    }

    @Override
    public Lease forCallers(long deadline) throws SQLException {
        Lease lease = borrowed();
        try {
            dialect.makeDurable(lease.connection());
            return lease;
        } catch (Throwable e) {
            lease.release(true); // no transaction is open on it
            throw e;
        }
    }

    @Override
    public Lease forReading(long deadline) throws SQLException, InterruptedException {
        return own.isPresent() ? own.get().forReading(deadline) : borrowed();
    }

    private Lease borrowed() throws SQLException {
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
    public Optional<Lease> idle() {
        return own.flatMap(KeptConnections::idle);
    }

    @Override
    public boolean ownSessions() {
        return own.isPresent() && own.get().ownSessions();
    }

    @Override
    public Optional<String> awaits(Duration atLeast, String database) {
        return lender.awaits(atLeast, database);
    }

    @Override
    public void close() {
        own.ifPresent(KeptConnections::close);
        onClose.run();
    }
}
