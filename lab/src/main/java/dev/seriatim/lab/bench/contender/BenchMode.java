// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.Allocation;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.jdbc.JdbcStore;
import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.ScratchSequence;
import dev.seriatim.lab.bench.site.Site;
import dev.seriatim.lab.model.Mode;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What can be measured: the modes of the library, and a counter in memory to compare them with. Immutable. */
public enum BenchMode implements Contender {
    /** Drawn inside the transaction that uses the number. */
    SYNC(Mode.SYNC) {
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
    GROUPED(Mode.GROUPED) {
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
    POOLED(Mode.POOLED) {
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
    ASYNC(Mode.ASYNC) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.async());
        }
    },

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Mode.COMBINED) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.combined());
        }
    },

    /** A block per instance. */
    BATCH(Mode.BATCH) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.batch(stage.plan().batchSize()));
        }
    },

    /** A block per instance, the next one fetched ahead. */
    ASYNC_BATCH(Mode.ASYNC_BATCH) {
        @Override
        public Iteration iteration(Stage stage) {
            RunPlan plan = stage.plan();
            return stage.drawing(Allocation.asyncBatch(plan.batchSize(), plan.lowWaterMark()));
        }
    },

    /** As ASYNC_BATCH, with size and mark that follow what is measured. */
    ADAPTIVE(Mode.ADAPTIVE) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(Allocation.adaptive());
        }
    },

    /** No sequence at all: a counter in this process, the floor under what the others are measured against. */
    ATOMIC_LONG(null) {
        @Override
        public Iteration iteration(Stage stage) {
            return stage.drawing(new AtomicLong(1)::getAndIncrement);
        }
    };

    /** The library's entry for it; null for what is none of its modes. */
    private final @Nullable Mode mode;

    BenchMode(@Nullable Mode mode) {
        this.mode = mode;
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
        return mode != null && mode.promise().ordered();
    }

    @Override
    public boolean gapless() {
        return mode != null && mode.promise().gapless();
    }

    @Override
    public boolean hasBatchSize() {
        return mode != null && mode.hasBatchSize();
    }

    @Override
    public boolean hasLowWaterMark() {
        return mode != null && mode.hasLowWaterMark();
    }

    @Override
    public boolean dealsFromBlocks() {
        return mode != null && mode.dealsFromBlocks();
    }

    @Override
    public boolean dealsFromMemory() {
        return mode == null || mode.dealsFromMemory();
    }

    @Override
    public double limitPerSecond(int threads, double reservation, double application) {
        return mode == null
                ? Contender.super.limitPerSecond(threads, reservation, application)
                : mode.limitPerSecond(threads, reservation, application);
    }

    private static <T> Iteration inTransactions(TransactionScope<T> scope, Stage stage) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, stage.sequence());
        return new DrawInTransaction<>(
                scope, sequence::next, stage.application(), stage.plan().numbersPerIteration());
    }
}
