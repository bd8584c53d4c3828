// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.bench;

import dev.seriatim.Allocation;
import dev.seriatim.GroupingStore;
import dev.seriatim.OpenStore;
import dev.seriatim.SequenceException;
import dev.seriatim.TransactionScope;
import dev.seriatim.cli.model.Mode;
import dev.seriatim.jdbc.JdbcStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What can be measured: the modes of the library, and a counter in memory to compare them with. Immutable. */
enum BenchMode {
    /** Drawn inside the transaction that uses the number. */
    SYNC(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        Iteration iteration(Stage stage) {
            if (stage.store() instanceof TransactionScope<?> scope) {
                return DrawInTransaction.in(scope, stage);
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        Optional<String> missingFrom(OpenStore store) {
            return store instanceof TransactionScope
                    ? Optional.empty()
                    : Optional.of("it opens no transactions to draw in, since its counters are not part of one");
        }
    },

    /** Drawn inside a transaction that callers share, one after another, with one commit for all. */
    GROUPED(Promise.GAPLESS, Supply.ONE_BY_ONE) {
        @Override
        Iteration iteration(Stage stage) {
            if (stage.store() instanceof GroupingStore<?> grouping) {
                return DrawInGroup.in(grouping, stage);
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        Optional<String> missingFrom(OpenStore store) {
            return store instanceof GroupingStore
                    ? Optional.empty()
                    : Optional.of(
                            "it opens no transactions that callers could share, since its counters are not part of one");
        }
    },

    /** Claimed, inside the transaction that uses it, from numbers that are laid out ahead. */
    POOLED(Promise.GAPLESS_UNORDERED, Supply.BLOCKS_AHEAD) {
        @Override
        Iteration iteration(Stage stage) {
            if (stage.store() instanceof JdbcStore tables) {
                return DrawInTransaction.pooled(tables, stage);
            }
            throw new IllegalStateException(stage.store() + " offers no " + this);
        }

        @Override
        Optional<String> missingFrom(OpenStore store) {
            if (!(store instanceof JdbcStore tables)) {
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
        Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.async());
        }
    },

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Promise.ORDERED, Supply.ONE_BY_ONE) {
        @Override
        Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.combined());
        }
    },

    /** A block per instance. */
    BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS) {
        @Override
        Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.batch(stage.plan().batchSize()));
        }
    },

    /** A block per instance, the next one fetched ahead. */
    ASYNC_BATCH(Promise.UNIQUE, Supply.SIZED_BLOCKS_AHEAD) {
        @Override
        Iteration iteration(Stage stage) {
            RunPlan plan = stage.plan();
            return stage.drawing(Allocation.asyncBatch(plan.batchSize(), plan.lowWaterMark()));
        }
    },

    /** As ASYNC_BATCH, with size and mark that follow what is measured. */
    ADAPTIVE(Promise.UNIQUE, Supply.BLOCKS_AHEAD) {
        @Override
        Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.adaptive());
        }
    },

    /** No sequence at all: a counter in this process, the floor under what the others are measured against. */
    ATOMIC_LONG(Promise.UNIQUE, Supply.ONE_BY_ONE) {
        @Override
        Iteration iteration(Stage stage) {
            return stage.drawing(new AtomicLong(1)::getAndIncrement);
        }

        @Override
        double limitPerSecond(int threads, double reservation, double application) {
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

    /** Opens the mode's numbers; to be called once per run. */
    abstract Iteration iteration(Stage stage);

    /** Why a store cannot serve this mode; empty when it can. */
    Optional<String> missingFrom(OpenStore store) {
        return Optional.empty();
    }

    /** Whether a draw that began after another had returned gets the higher value. */
    boolean ordered() {
        return promise == Promise.ORDERED || promise == Promise.GAPLESS;
    }

    /** Whether no value is missing from what was committed. */
    boolean gapless() {
        return promise == Promise.GAPLESS || promise == Promise.GAPLESS_UNORDERED;
    }

    /** Whether {@code --batch-size} applies. */
    boolean hasBatchSize() {
        return supply == Supply.SIZED_BLOCKS || supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Whether {@code --low-water-mark} applies. */
    boolean hasLowWaterMark() {
        return supply == Supply.SIZED_BLOCKS_AHEAD;
    }

    /** Whether more is reserved than is used at once. */
    boolean dealsFromBlocks() {
        return supply != Supply.ONE_BY_ONE;
    }

    /** Whether most draws touch no store, so that many are needed until a run has settled. */
    boolean dealsFromMemory() {
        return promise == Promise.UNIQUE;
    }

    /** Values per second that this mode could reach at best, perhaps infinite; times in seconds. */
    double limitPerSecond(int threads, double reservation, double application) {
        return Mode.valueOf(name()).limitPerSecond(threads, reservation, application);
    }
}
