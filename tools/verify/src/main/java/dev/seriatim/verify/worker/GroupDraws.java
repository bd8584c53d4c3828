// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GroupingStore;
import java.sql.SQLException;

/** Draws and stores numbers in units of work that share their transaction with those of other threads. Thread-safe. */
record GroupDraws<T>(GroupedSequence<T> sequence, LedgerInsert ledger, LaneOrder order, Runnable closing)
        implements LaneDraws {

    static <T> LaneDraws open(StoreSequences sequences, GroupingStore<T> store, LaneOrder order, LedgerInsert ledger) {
        return new GroupDraws<>(sequences.grouped(order.sequence(), store), ledger, order, sequences::close);
    }

    @Override
    public void turn(LaneLog log) throws Exception {
        int count = log.chance() < order.shares().several() ? order.numbers() : 1;
        boolean rollBack = log.chance() < order.shares().rolledBack();
        log.begin();
        try {
            sequence.<Boolean, Exception>commit(turn -> drawAndStore(turn, log, count, rollBack));
            log.committed();
        } catch (RolledBackOnPurpose e) {
            log.forget();
        } catch (CommitOutcomeUnknown e) {
            log.unsure();
        }
    }

    /** Repeated if another unit of the group fails. */
    private boolean drawAndStore(Turn<T> turn, LaneLog log, int count, boolean rollBack)
            throws SQLException, RolledBackOnPurpose {
        log.forget();
        Block drawn = count == 1 ? new Block(turn.next(), 1, 1) : turn.next(count);
        ledger.insert(turn.transaction(), drawn);
        log.took(drawn);
        if (rollBack) {
            throw new RolledBackOnPurpose();
        }
        log.committing();
        return true;
    }

    @Override
    public void close() {
        closing.run();
    }
}
