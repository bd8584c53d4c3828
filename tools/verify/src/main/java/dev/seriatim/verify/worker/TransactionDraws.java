// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Numbers;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Draws and stores numbers in a transaction, or in a unit of work that shares one. Thread-safe.
 *
 * @param repeats whether conflicts are repeated, as callers must that have a transaction of their own
 */
record TransactionDraws(
        Transactions transactions, LedgerInsert ledger, LaneOrder order, boolean repeats, Runnable closing)
        implements LaneDraws {

    /** A time, not a number of attempts: on a busy machine, conflicts last longer. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int LONGEST_PAUSE_MILLIS = 20;

    /** Rolls back a transaction or a unit of work. */
    static final class RolledBackOnPurpose extends Exception {

        private static final long serialVersionUID = 1L;

        RolledBackOnPurpose() {
            super("rolled back on purpose", null, false, false);
        }
    }

    interface Transactions {
        /** Runs work in a transaction, and commits it. May run the work again. */
        void run(Work work) throws Exception;
    }

    interface Work {
        boolean run(Object transaction, IntFunction<Numbers> next) throws Exception;
    }

    @Override
    public void turn(LaneLog log) throws Exception {
        int count = log.chance() < order.shares().several() ? order.numbers() : 1;
        boolean rollBack = log.chance() < order.shares().rolledBack();
        long end = System.nanoTime() + PATIENCE.toNanos();
        log.begin();
        while (true) {
            try {
                transactions.run((transaction, next) -> {
                    log.forget(); // the numbers of an attempt before
                    Numbers numbers = next.apply(count);
                    ledger.insert(transaction, numbers);
                    log.took(numbers);
                    if (rollBack) {
                        throw new RolledBackOnPurpose();
                    }
                    log.committing();
                    return true;
                });
                log.committed();
                return;
            } catch (RolledBackOnPurpose e) {
                log.forget();
                return;
            } catch (CommitOutcomeUnknown e) {
                log.unsure();
                return;
            } catch (Overloaded | SQLException e) {
                boolean conflict = !(e instanceof SQLException failure) || ledger.isConflict(failure);
                if (!repeats || !conflict || System.nanoTime() > end) {
                    throw e;
                }
            }
            log.waitAndBegin(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS));
        }
    }

    @Override
    public void close() {
        closing.run();
    }
}
