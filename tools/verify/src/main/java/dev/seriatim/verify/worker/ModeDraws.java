// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.verify.worker;

import dev.seriatim.Block;
import dev.seriatim.GaplessSequence;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.verify.worker.TransactionDraws.Transactions;

/** Draws in a mode of the library, opened as a user opens it. */
record ModeDraws(DrawMode mode) implements LaneDraws.Generator {

    @Override
    public LaneDraws open(OpenStore store, LaneOrder order, SequenceListener listener) {
        StoreSequences sequences = StoreSequences.builder(store)
                .giveBackOnClose(true)
                .listener(listener)
                .build();
        try {
            if (!mode.drawsInTransaction()) {
                return new SequenceDraws(sequences, order, mode);
            }
            return new TransactionDraws(
                    transactions(sequences, store, order.sequence()),
                    new LedgerInsert(store, order),
                    order,
                    mode != DrawMode.GROUPED,
                    sequences::close);
        } catch (RuntimeException e) {
            sequences.close();
            throw e;
        }
    }

    private Transactions transactions(StoreSequences sequences, OpenStore store, String name) {
        return switch (mode) {
            case SYNC -> sync(sequences, (GaplessStore<?>) store, name);
            case POOLED -> pooled(sequences, (GaplessStore<?>) store, name);
            case GROUPED -> grouped(sequences, (GroupingStore<?>) store, name);
            default -> throw new IllegalStateException(mode + " draws outside transactions");
        };
    }

    private static <T> Transactions sync(StoreSequences sequences, GaplessStore<T> store, String name) {
        GaplessSequence<T> sequence = sequences.gapless(name, store);
        return work -> store.<Boolean, Exception>inTransaction(
                tx -> work.run(tx, count -> count == 1 ? only(sequence.next(tx)) : sequence.next(tx, count)));
    }

    private static <T> Transactions pooled(StoreSequences sequences, GaplessStore<T> store, String name) {
        PooledSequence<T> sequence = sequences.pooled(name, store);
        return work -> store.<Boolean, Exception>inTransaction(
                tx -> work.run(tx, count -> count == 1 ? only(sequence.next(tx)) : sequence.next(tx, count)));
    }

    private static <T> Transactions grouped(StoreSequences sequences, GroupingStore<T> store, String name) {
        GroupedSequence<T> sequence = sequences.grouped(name, store);
        return work -> sequence.<Boolean, Exception>commit(
                turn -> work.run(turn.transaction(), count -> count == 1 ? only(turn.next()) : turn.next(count)));
    }

    private static Block only(long number) {
        return new Block(number, 1, 1);
    }
}
