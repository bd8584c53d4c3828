// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.jdbc.trials;

import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;

/** Draws and stores each number in one transaction, and retries it after a conflict, as every caller must. */
record InTransaction(JdbcStore store, ToLongFunction<Connection> sequence, StoredNumbers ledger) implements Draws {

    /** Measured in time, not attempts: on a busy machine, each attempt conflicts for longer. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    static Draws open(ApplicationResources application, TrialMode mode) {
        TransactionalSequence<Connection> sequence = TransactionalSequence.of(application.store(), mode.name());
        return new InTransaction(application.store(), sequence::next, mode.ledger());
    }

    static Draws pooled(ApplicationResources application, TrialMode mode) {
        PooledSequence<Connection> sequence = application.sequences().pooled(mode.name(), application.store());
        return new InTransaction(application.store(), sequence::next, mode.ledger());
    }

    @Override
    public long next() throws SQLException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return store.inTransaction(this::drawAndStore);
            } catch (Overloaded e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            } catch (SQLException e) {
                if (System.nanoTime() > end || !"40001".equals(e.getSQLState())) {
                    throw e;
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(20));
        }
    }

    private long drawAndStore(Connection transaction) throws SQLException {
        long value = sequence.applyAsLong(transaction);
        ledger.insert(transaction, value);
        return value;
    }
}
