// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.Numbers;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceException.Overloaded;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.TransactionScope;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Draws and stores numbers in a transaction, and repeats it after a conflict, as every caller must. Thread-safe.
 *
 * @param numbers draws in a transaction
 * @param closing closes the sequence
 */
record TransactionDraws<T>(
        TransactionScope<T> scope, LedgerInsert ledger, Several<T> numbers, LaneOrder order, Runnable closing)
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

    private interface Several<T> {
        Numbers next(T transaction, int count);
    }

    static <T> LaneDraws sync(StoreSequences sequences, GaplessStore<T> store, LaneOrder order, LedgerInsert ledger) {
        GaplessSequence<T> sequence = sequences.gapless(order.sequence(), store);
        Several<T> several = (tx, count) -> count == 1 ? new Block(sequence.next(tx), 1, 1) : sequence.next(tx, count);
        return new TransactionDraws<>(store, ledger, several, order, sequences::close);
    }

    static <T> LaneDraws pooled(StoreSequences sequences, GaplessStore<T> store, LaneOrder order, LedgerInsert ledger) {
        PooledSequence<T> sequence = sequences.pooled(order.sequence(), store);
        Several<T> several = (tx, count) -> count == 1 ? new Block(sequence.next(tx), 1, 1) : sequence.next(tx, count);
        return new TransactionDraws<>(store, ledger, several, order, sequences::close);
    }

    @Override
    public void turn(LaneLog log) throws Exception {
        int count = log.chance() < order.shares().several() ? order.numbers() : 1;
        boolean rollBack = log.chance() < order.shares().rolledBack();
        long end = System.nanoTime() + PATIENCE.toNanos();
        log.begin();
        while (true) {
            try {
                scope.<Boolean, Exception>inTransaction(transaction -> {
                    log.forget(); // a store's own client may run the work again
                    return ledger.store(transaction, numbers.next(transaction, count), log, rollBack);
                });
                log.committed();
                return;
            } catch (RolledBackOnPurpose e) {
                log.forget();
                return;
            } catch (CommitOutcomeUnknown e) {
                log.unsure();
                return;
            } catch (Overloaded e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            } catch (SQLException e) {
                if (System.nanoTime() > end || !"40001".equals(e.getSQLState())) {
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
