// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.Allocation;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.cli.model.Mode;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What can be measured: the modes of the library, and a counter in memory to compare them with. Immutable. */
enum BenchMode implements Contender {
    /** Drawn inside the transaction that uses the number. */
    SYNC(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        public Iteration iteration(Stage stage) {
            if (stage.store() instanceof TransactionScope<?> scope) {
                return inTransactions(scope, stage);
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return site.store() instanceof TransactionScope
                    ? refusedInTransactions(site)
                    : Optional.of("it opens no transactions to draw in, since its counters are not part of one");
        }
    },

    /** Drawn inside a transaction that callers share, one after another, with one commit for all. */
    GROUPED(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        public Iteration iteration(Stage stage) {
            if (stage.store() instanceof GroupingStore<?> grouping) {
                return DrawInGroup.in(grouping, stage);
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            return site.store() instanceof GroupingStore
                    ? refusedInTransactions(site)
                    : Optional.of(
                            "it opens no transactions that callers could share, since its counters are not part of one");
        }
    },

    /** Claimed, inside the transaction that uses it, from numbers that are laid out ahead. */
    POOLED(Promise.GAPLESS_UNORDERED, Supply.BLOCKS_AHEAD) {
        @Override
        public Iteration iteration(Stage stage) {
            if (stage.store() instanceof JdbcStore tables) {
                PooledSequence<Connection> sequence = stage.sequences().pooled(stage.sequence(), tables);
                return new DrawFromPool<>(
                        tables, sequence, stage.application(), stage.plan().numbersPerIteration());
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        public Optional<String> missingFrom(Site site, RunPlan plan) {
            if (!(site.store() instanceof JdbcStore tables)) {
                return Optional.of("it has no rows to lay numbers out in");
            }
            try {
                tables.pool(ScratchSequence.PREFIX);
                return Optional.empty();
            } catch (SequenceException.Misconfigured e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    },

    /** A transaction per value. */
    ASYNC(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.async());
        }
    },

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.combined());
        }
    },

    /** A block per instance. */
    BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.batch(stage.plan().batchSize()));
        }
    },

    /** A block per instance, the next one fetched ahead. */
    ASYNC_BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS_AHEAD) {
        @Override
        public Iteration iteration(Stage stage) {
            RunPlan plan = stage.plan();
            return stage.drawing(Allocation.asyncBatch(plan.batchSize(), plan.lowWaterMark()));
        }
    },

    /** As ASYNC_BATCH, with size and mark that follow what is measured. */
    ADAPTIVE(Promise.UNIQUE, Supply.BLOCKS_AHEAD) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.adaptive());
        }
    },

    /** No sequence at all: a counter in this process, the floor under what the others are measured against. */
    ATOMIC_LONG(Promise.UNIQUE, Supply.ONE_BY_ONE) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(new AtomicLong(1)::getAndIncrement);
        }

        @Override
        public double limitPerSecond(int threads, double reservation, double application) {
            return threads / application;
        }
    };

    private enum Promise {
        UNIQUE,
        ORDERED,
        GAPLESS,
        GAPLESS_UNORDERED
    }

    private enum Supply {
        ONE_BY_ONE,
        SIZED_BLOCKS,
        SIZED_BLOCKS_AHEAD,
        BLOCKS_AHEAD
    }

    private final Promise promise;
    private final Supply supply;

    BenchMode(Promise promise, Supply supply) {
        this.promise = promise;
        this.supply = supply;
    }

    private static Optional<String> refusedInTransactions(Site site) {
        return site.store() instanceof GaplessStore<?> gapless ? gapless.whyNotGapless() : Optional.empty();
    }

    @Override
    public String label(RunPlan plan) {
        StringBuilder label = new StringBuilder(name());
        plan.batchSizeUsed().ifPresent(size -> label.append(", batch size ").append(size));
        plan.lowWaterMarkUsed()
                .ifPresent(mark -> label.append(", low-water mark ").append(mark));
        return label.toString();
    }

    @Override
    public boolean ordered() {
        return promise == Promise.ORDERED || promise == Promise.GAPLESS;
    }

    @Override
    public boolean gapless() {
        return promise == Promise.GAPLESS || promise == Promise.GAPLESS_UNORDERED;
    }

    @Override
    public boolean hasBatchSize() {
        return supply == Supply.SIZED_BLOCKS || supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    @Override
    public boolean hasLowWaterMark() {
        return supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    @Override
    public boolean dealsFromBlocks() {
        return supply != Supply.ONE_BY_ONE;
    }

    @Override
    public boolean dealsFromMemory() {
        return promise == Promise.UNIQUE;
    }

    @Override
    public double limitPerSecond(int threads, double reservation, double application) {
        return Mode.valueOf(name()).limitPerSecond(threads, reservation, application);
    }

    private static <T> Iteration inTransactions(TransactionScope<T> scope, Stage stage) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, stage.sequence());
        return new DrawInTransaction<>(
                scope, sequence::next, stage.application(), stage.plan().numbersPerIteration());
    }
}
