// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.control;

import dev.seriatim.Block;
import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.lab.verify.worker.LaneDraws;
import dev.seriatim.lab.verify.worker.LaneLog;
import dev.seriatim.lab.verify.worker.LaneOrder;
import dev.seriatim.lab.verify.worker.LedgerInsert;
import dev.seriatim.lab.verify.worker.RolledBackOnPurpose;
import dev.seriatim.store.SequenceStore;

/**
 * Reserves a number, which commits, and then stores it in a transaction that may be rolled back.
 *
 * @param database where it is stored
 * @param store where it is drawn
 * @param order the share that is rolled back
 */
record TwoTransactions(BenchmarkedStore database, SequenceStore store, LaneOrder order) implements LaneDraws {

    @Override
    public void turn(LaneLog log) throws Exception {
        boolean rollBack = log.chance() < order.shares().rolledBack();
        log.begin();
        Block number = store.reserve(order.sequence(), 1).block();
        LedgerInsert ledger = LedgerInsert.into(database.dialect().quote(order.ledger()));
        try {
            database.<Boolean, Exception>inTransaction(transaction -> {
                ledger.insert(transaction, number);
                if (rollBack) {
                    throw new RolledBackOnPurpose();
                }
                return true;
            });
            log.took(number);
            log.committed();
        } catch (RolledBackOnPurpose e) {
            log.forget();
        }
    }

    @Override
    public void close() {
        // holds nothing
    }
}
