// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.verify.worker;

import dev.seriatim.SequenceListener;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.sql.BenchmarkedStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;

/**
 * Draws in a mode of the library, opened as a user opens it.
 *
 * @param mode the mode
 */
record ModeDraws(DrawMode mode) implements Generator {

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
        LedgerInsert ledger = ledger(store, order.ledger());
        return switch (mode) {
            case SYNC -> TransactionDraws.sync(sequences, gapless(store), order, ledger);
            case GROUPED -> {
                if (!(store instanceof GroupingStore<?> grouping)) {
                    throw notOffered(store);
                }
                yield GroupDraws.open(sequences, grouping, order, ledger);
            }
            case POOLED -> TransactionDraws.pooled(sequences, gapless(store), order, ledger);
            default ->
                SequenceDraws.open(
                        sequences,
                        () -> sequences.open(order.sequence(), mode.allocation(order)),
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

    private static LedgerInsert ledger(OpenStore store, String table) {
        return LedgerInsert.into(
                store instanceof BenchmarkedStore database && !table.isEmpty()
                        ? database.dialect().quote(table)
                        : "");
    }
}
