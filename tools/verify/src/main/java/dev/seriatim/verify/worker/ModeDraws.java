// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.SequenceException.CommitOutcomeUnknown;
import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.verify.worker.TransactionDraws.RolledBackOnPurpose;

/** Draws in a mode of the library, opened as a user opens it. */
record ModeDraws(DrawMode mode) implements LaneDraws.Generator {

    @Override
    public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
        StoreSequences sequences = StoreSequences.builder(store)
                .giveBackOnClose(true)
                .listener(listener)
                .build();
        boolean opened = false;
        try {
            LaneDraws draws = open(sequences, store, order);
            opened = true;
            return draws;
        } finally {
            if (!opened) {
                sequences.close();
            }
        }
    }

    private LaneDraws open(StoreSequences sequences, OpenStore store, LaneOrder order) {
        LedgerInsert ledger = LedgerInsert.into(
                store instanceof JdbcStore database && !order.ledger().isEmpty()
                        ? database.dialect().quote(order.ledger())
                        : "");
        return switch (mode) {
            case SYNC -> TransactionDraws.sync(sequences, gapless(store), order, ledger);
            case GROUPED -> {
                if (!(store instanceof GroupingStore<?> grouping)) {
                    throw notOffered(store);
                }
                yield grouped(sequences, grouping, order, ledger);
            }
            case POOLED -> TransactionDraws.pooled(sequences, gapless(store), order, ledger);
            default ->
                new SequenceDraws(
                        () -> sequences.open(order.sequence(), mode.allocation(order)),
                        sequences::close,
                        order,
                        mode.dealsFromMemory());
        };
    }

    private GaplessStore<?> gapless(OpenStore store) {
        if (store instanceof GaplessStore<?> gapless) {
            return gapless;
        }
        throw notOffered(store);
    }

    private IllegalStateException notOffered(OpenStore store) {
        return new IllegalStateException(store + " offers no " + mode);
    }

    private static <T> LaneDraws grouped(
            StoreSequences sequences, GroupingStore<T> store, LaneOrder order, LedgerInsert ledger) {
        return new GroupDraws<>(sequences.grouped(order.sequence(), store), ledger, order, sequences::close);
    }

    /** Draws and stores numbers in units of work, which share a transaction with those of other threads. */
    private record GroupDraws<T>(GroupedSequence<T> sequence, LedgerInsert ledger, LaneOrder order, Runnable closing)
            implements LaneDraws {

        @Override
        public void turn(LaneLog log) throws Exception {
            int count = log.chance() < order.shares().several() ? order.numbers() : 1;
            boolean rollBack = log.chance() < order.shares().rolledBack();
            log.begin();
            try {
                sequence.<Boolean, Exception>commit(turn -> {
                    log.forget(); // the unit runs again if another unit of the group fails
                    Block drawn = count == 1 ? new Block(turn.next(), 1, 1) : turn.next(count);
                    return ledger.store(turn.transaction(), drawn, log, rollBack);
                });
                log.committed();
            } catch (RolledBackOnPurpose e) {
                log.forget();
            } catch (CommitOutcomeUnknown e) {
                log.unsure();
            }
        }

        @Override
        public void close() {
            closing.run();
        }
    }
}
