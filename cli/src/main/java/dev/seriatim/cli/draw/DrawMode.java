// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.util.function.LongSupplier;

/** The values of {@code next --mode}: how single values are drawn. */
public enum DrawMode {
    SYNC {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof TransactionScope<?> scope) {
                return inTransactions(scope, name);
            }
            throw new SequenceException.Misconfigured("--mode SYNC draws inside a transaction, and " + store
                    + " opens none, since its counters are not part of a transaction; use --mode ASYNC or COMBINED");
        }
    },
    GROUPED {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof GroupingStore<?> grouping) {
                return inGroups(store, grouping, name);
            }
            throw new SequenceException.Misconfigured("--mode GROUPED draws in a transaction that callers share, and "
                    + store
                    + " opens none, since its counters are not part of a transaction; use --mode ASYNC or COMBINED");
        }
    },
    POOLED {
        @Override
        NumberSource open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof JdbcStore tables) {
                return fromPool(tables, name);
            }
            throw new SequenceException.Misconfigured("--mode POOLED claims numbers that are laid out as rows, and "
                    + store + " has none; use --mode "
                    + (store instanceof GroupingStore ? "GROUPED or SYNC" : "ASYNC or COMBINED"));
        }
    },
    ASYNC {
        @Override
        Allocation allocation(OpenStore store, String name, BlockShape shape) {
            return Allocation.async();
        }
    },
    COMBINED {
        @Override
        Allocation allocation(OpenStore store, String name, BlockShape shape) {
            return Allocation.combined();
        }
    },
    BATCH {
        @Override
        Allocation allocation(OpenStore store, String name, BlockShape shape) {
            return Allocation.batch(shape.sizeOrCache());
        }
    },
    ASYNC_BATCH {
        @Override
        Allocation allocation(OpenStore store, String name, BlockShape shape) {
            return Allocation.asyncBatch(shape.sizeOrCache(), shape.markFor(store, name));
        }
    },
    ADAPTIVE {
        @Override
        Allocation allocation(OpenStore store, String name, BlockShape shape) {
            return Allocation.adaptive();
        }
    };

    NumberSource open(OpenStore store, String name, BlockShape shape) {
        StoreSequences sequences = StoreSequences.builder(store).giveBackOnClose(true).build();
        return drawing(sequences.open(name, allocation(store, name, shape))::next, sequences);
    }

    /** How numbers are drawn outside the caller's transaction, by the modes that do. */
    Allocation allocation(OpenStore store, String name, BlockShape shape) {
        throw new IllegalStateException(this + " draws inside a transaction");
    }

    /** Whether it deals from stripes: those do that draw outside the caller's transaction. */
    boolean hasStripes() {
        return this != SYNC && this != GROUPED && this != POOLED;
    }

    boolean hasSize() {
        return this == BATCH || this == ASYNC_BATCH;
    }

    boolean hasMark() {
        return this == ASYNC_BATCH;
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

    private static NumberSource fromPool(JdbcStore store, String name) {
        StoreSequences sequences = StoreSequences.of(store);
        PooledSequence<Connection> sequence = sequences.pooled(name, store);
        return drawing(() -> store.<Long, RuntimeException>inTransaction(sequence::next), sequences);
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
