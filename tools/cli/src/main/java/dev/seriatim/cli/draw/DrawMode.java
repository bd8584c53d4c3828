// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The modes, which are the values of {@code next --mode}. The only list of them. Immutable.
 */
public enum DrawMode {
    /** Drawn inside the caller's transaction; transactions that draw from one sequence run one after another. */
    SYNC(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof TransactionScope<?> scope) {
                return inTransactions(scope, name);
            }
            throw notOffered(store);
        }
    },

    /** Callers' units of work run one after another in one transaction, with one commit. */
    GROUPED(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof GroupingStore<?> grouping) {
                return inGroups(store, grouping, name);
            }
            throw notOffered(store);
        }
    },

    /** Claimed inside the caller's transaction from numbers that are laid out ahead. */
    POOLED(Promise.GAPLESS_UNORDERED, Supply.BLOCKS_AHEAD) {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof GaplessStore<?> pooling) {
                return fromPool(store, pooling, name);
            }
            throw notOffered(store);
        }
    },

    /** A transaction for each value. */
    ASYNC(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.async();
        }
    },

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.combined();
        }
    },

    /** Callers that wait at the same time share a read, which confirms that the reserved values are the newest. */
    CONFIRMED(Promise.ORDERED, Supply.CONFIRMED_BLOCKS) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.confirmed();
        }
    },

    /** A block per instance. */
    BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.batch(blocks.batchSize());
        }
    },

    /** A block per instance; the next one is fetched ahead. */
    ASYNC_BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS_AHEAD) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.asyncBatch(blocks.batchSize(), blocks.lowWaterMark());
        }
    },

    /** Like ASYNC_BATCH, with a size and a mark that adapt to the load. */
    ADAPTIVE(Promise.UNIQUE, Supply.BLOCKS_AHEAD) {
        @Override
        public Allocation allocation(Blocks blocks) {
            return Allocation.adaptive();
        }
    };

    /** The size of blocks, in modes where it can be chosen. */
    public interface Blocks {

        /** Values per block. */
        long batchSize();

        /** Number of remaining values at which the next block is fetched. */
        long lowWaterMark();
    }

    /** The source of a mode's numbers. */
    private enum Supply {
        ONE_BY_ONE,
        /** Reserved ahead, but dealt only after a read of the counter. */
        CONFIRMED_BLOCKS,
        SIZED_BLOCKS,
        SIZED_BLOCKS_AHEAD,
        BLOCKS_AHEAD
    }

    private final Promise promise;
    private final Supply supply;

    DrawMode(Promise promise, Supply supply) {
        this.promise = promise;
        this.supply = supply;
    }

    /** Returns the mode of this exact name; empty if there is none. */
    public static Optional<DrawMode> named(String name) {
        return Arrays.stream(values()).filter(mode -> mode.name().equals(name)).findFirst();
    }

    NumberSource open(OpenStore store, String name, BlockShape shape) {
        StoreSequences sequences =
                StoreSequences.builder(store).giveBackOnClose(true).build();
        return drawing(sequences.open(name, allocation(shape.of(store, name)))::next, sequences);
    }

    /**
     * Returns the allocation of a mode that draws outside the caller's transaction.
     *
     * @throws IllegalStateException if it draws inside it
     */
    public Allocation allocation(Blocks blocks) {
        throw new IllegalStateException(this + " draws inside a transaction");
    }

    /** Returns its guarantees. */
    public Promise promise() {
        return promise;
    }

    /** Returns whether numbers are drawn inside the transaction that uses them; these are the gapless modes. */
    public boolean drawsInTransaction() {
        return promise.gapless();
    }

    /** Returns whether a block size can be chosen. */
    public boolean hasBatchSize() {
        return supply == Supply.SIZED_BLOCKS || supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Returns whether a low-water mark can be chosen. */
    public boolean hasLowWaterMark() {
        return supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Returns whether it reserves more than it needs at once. */
    public boolean dealsFromBlocks() {
        return supply != Supply.ONE_BY_ONE;
    }

    /** Returns whether it deals from its blocks only after a read of the counter. */
    public boolean confirmsBlocks() {
        return supply == Supply.CONFIRMED_BLOCKS;
    }

    /** Returns whether most draws do not access the store. */
    public boolean dealsFromMemory() {
        return dealsFromBlocks() && !confirmsBlocks() && !drawsInTransaction();
    }

    SequenceException.Misconfigured notOffered(OpenStore store) {
        return new SequenceException.Misconfigured("%s does not offer --mode %s: %s; use --mode %s"
                .formatted(
                        store,
                        this,
                        ModeOffer.missing(store, this).orElse(""),
                        store instanceof GroupingStore ? "GROUPED or SYNC" : "ASYNC or COMBINED"));
    }

    private static <T> NumberSource inTransactions(TransactionScope<T> scope, String name) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, name);
        return () -> scope.<Long, RuntimeException>inTransaction(sequence::next);
    }

    private static <T> NumberSource inGroups(OpenStore store, GroupingStore<T> grouping, String name) {
        StoreSequences sequences = StoreSequences.of(store);
        GroupedSequence<T> sequence = sequences.grouped(name, grouping);
        return drawing(() -> sequence.<Long, RuntimeException>commit(Turn::next), sequences);
    }

    private static <T> NumberSource fromPool(OpenStore store, GaplessStore<T> pooling, String name) {
        StoreSequences sequences = StoreSequences.of(store);
        PooledSequence<T> sequence = sequences.pooled(name, pooling);
        return drawing(() -> pooling.<Long, RuntimeException>inTransaction(sequence::next), sequences);
    }

    private static NumberSource drawing(LongSupplier numbers, StoreSequences sequences) {
        return new NumberSource() {
            @Override
            public long next() {
                return numbers.getAsLong();
            }

            @Override
            public void close() {
                sequences.close();
            }
        };
    }
}
