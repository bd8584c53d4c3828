// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli;

import dev.seriatim.Allocation;
import dev.seriatim.OpenStore;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Sequences;
import dev.seriatim.TransactionScope;
import dev.seriatim.TransactionalSequence;

/** The values of {@code next --mode}: how single values are drawn. */
enum DrawMode {
    SYNC {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            if (store instanceof TransactionScope<?> scope) {
                return inTransactions(scope, name);
            }
            throw new SequenceException.Misconfigured("--mode SYNC draws inside a transaction, and " + store
                    + " opens none; use --mode ASYNC or COMBINED");
        }
    },
    ASYNC {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            return through(store, name, Allocation.async());
        }
    },
    COMBINED {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            return through(store, name, Allocation.combined());
        }
    },
    BATCH {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            return through(store, name, Allocation.batch(shape.sizeOrCache()));
        }
    },
    ASYNC_BATCH {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            return through(store, name, Allocation.asyncBatch(shape.sizeOrCache(), shape.markFor(store, name)));
        }
    },
    ADAPTIVE {
        @Override
        Draws open(OpenStore store, String name, BlockShape shape) {
            return through(store, name, Allocation.adaptive());
        }
    };

    abstract Draws open(OpenStore store, String name, BlockShape shape);

    boolean hasSize() {
        return this == BATCH || this == ASYNC_BATCH;
    }

    boolean hasMark() {
        return this == ASYNC_BATCH;
    }

    private static <T> Draws inTransactions(TransactionScope<T> scope, String name) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, name);
        return () -> scope.<Long, RuntimeException>inTransaction(sequence::next);
    }

    private static Draws through(OpenStore store, String name, Allocation allocation) {
        Sequences sequences = Sequences.over(store).giveBackOnClose(true).build();
        Sequence sequence = sequences.open(name, allocation);
        return new Draws() {
            @Override
            public long next() {
                return sequence.next();
            }

            @Override
            public void close() {
                sequences.close();
            }
        };
    }
}
