// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.cli.draw;

import dev.seriatim.Allocation;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.SequenceException;
import dev.seriatim.Turn;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.ConfirmingStore;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.OpenStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The modes, which are the values of {@code next --mode}. The only list of them. Immutable. */
public enum DrawMode {
    /** Drawn inside the caller's transaction; transactions that draw from one sequence run one after another. */
    SYNC(Promise.GAPLESS),

    /** Callers' units of work run one after another in one transaction, with one commit. */
    GROUPED(Promise.GAPLESS),

    /** Claimed inside the caller's transaction from numbers that are laid out ahead. */
    POOLED(Promise.GAPLESS_UNORDERED),

    /** A transaction for each value. */
    ASYNC(Promise.ORDERED),

    /** Callers that wait at the same time share a reservation. */
    COMBINED(Promise.ORDERED),

    /** Callers that wait at the same time share a read, which confirms that the reserved values are the newest. */
    CONFIRMED(Promise.ORDERED),

    /** A block per instance. */
    BATCH(Promise.UNIQUE),

    /** A block per instance; the next one is fetched ahead. */
    ASYNC_BATCH(Promise.UNIQUE),

    /** Like ASYNC_BATCH, with a size and a mark that adapt to the load. */
    ADAPTIVE(Promise.UNIQUE);

    /** No sequence of this name needs to exist. */
    private static final String ANY = "seriatim_any";

    private static final String NO_TRANSACTIONS = "it has no transactions, since its counters are not part of one";

    private final Promise promise;

    DrawMode(Promise promise) {
        this.promise = promise;
    }

    /** Returns the mode of this exact name; empty if there is none. */
    public static Optional<DrawMode> named(String name) {
        return Arrays.stream(values()).filter(mode -> mode.name().equals(name)).findFirst();
    }

    /** Returns the allocation of a mode that draws outside the caller's transaction. Modes without blocks ignore the sizes. */
    public Allocation allocation(long batchSize, long lowWaterMark) {
        return switch (this) {
            case SYNC, GROUPED, POOLED -> throw new IllegalStateException(this + " draws inside a transaction");
            case ASYNC -> Allocation.async();
            case COMBINED -> Allocation.combined();
            case CONFIRMED -> Allocation.confirmed();
            case BATCH -> Allocation.batch(batchSize);
            case ASYNC_BATCH -> Allocation.asyncBatch(batchSize, lowWaterMark);
            case ADAPTIVE -> Allocation.adaptive();
        };
    }

    public Promise promise() {
        return promise;
    }

    /** Returns whether numbers are drawn inside the transaction that uses them; these are the gapless modes. */
    public boolean drawsInTransaction() {
        return promise.gapless();
    }

    public boolean hasBatchSize() {
        return this == BATCH || this == ASYNC_BATCH;
    }

    public boolean hasLowWaterMark() {
        return this == ASYNC_BATCH;
    }

    /** Returns whether it reserves more than it needs at once. */
    public boolean dealsFromBlocks() {
        return dealsFromMemory() || this == CONFIRMED || this == POOLED;
    }

    /** Returns whether it deals from its blocks only after a read of the counter. */
    public boolean confirmsBlocks() {
        return this == CONFIRMED;
    }

    /** Returns whether most draws do not access the store. */
    public boolean dealsFromMemory() {
        return this == BATCH || this == ASYNC_BATCH || this == ADAPTIVE;
    }

    /** Returns why a store does not offer this mode, as a clause about the store; empty if it does. */
    public Optional<String> missingIn(OpenStore store) {
        return switch (this) {
            case SYNC ->
                store instanceof TransactionScope ? refusedInTransactions(store) : Optional.of(NO_TRANSACTIONS);
            case GROUPED ->
                store instanceof GroupingStore ? refusedInTransactions(store) : Optional.of(NO_TRANSACTIONS);
            case POOLED -> withoutPool(store);
            case CONFIRMED -> ConfirmingStore.whyNot(store);
            default -> Optional.empty();
        };
    }

    private static Optional<String> refusedInTransactions(OpenStore store) {
        return store instanceof GaplessStore<?> gapless ? gapless.whyNotGapless() : Optional.empty();
    }

    private static Optional<String> withoutPool(OpenStore store) {
        if (!(store instanceof GaplessStore<?> pooling)) {
            return Optional.of("it cannot lay numbers out as rows");
        }
        try {
            pooling.pool(ANY);
            return Optional.empty();
        } catch (SequenceException.Misconfigured e) {
            String name = "sequence '" + ANY + "': "; // no sequence of the user's
            return Optional.of(String.valueOf(e.getMessage()).replace(name, ""));
        }
    }

    /** Opens a sequence and passes its numbers to {@code use}; rejected if the store does not offer this mode. */
    void draw(OpenStore store, String name, BlockShape shape, Consumer<LongSupplier> use) {
        if (this == SYNC && store instanceof TransactionScope<?> scope) {
            inTransactions(scope, name, use);
        } else if (this == GROUPED && store instanceof GroupingStore<?> grouping) {
            inGroups(store, grouping, name, use);
        } else if (this == POOLED && store instanceof GaplessStore<?> pooling) {
            fromPool(store, pooling, name, use);
        } else if (drawsInTransaction()) {
            throw new SequenceException.Misconfigured("%s does not offer --mode %s: %s; use --mode %s"
                    .formatted(
                            store,
                            this,
                            missingIn(store).orElse(""),
                            store instanceof GroupingStore ? "GROUPED or SYNC" : "ASYNC or COMBINED"));
        } else {
            try (StoreSequences sequences =
                    StoreSequences.builder(store).giveBackOnClose(true).build()) {
                use.accept(sequences.open(name, shape.allocation(this, store, name))::next);
            }
        }
    }

    private static <T> void inTransactions(TransactionScope<T> scope, String name, Consumer<LongSupplier> use) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, name);
        use.accept(() -> scope.<Long, RuntimeException>inTransaction(sequence::next));
    }

    private static <T> void inGroups(
            OpenStore store, GroupingStore<T> grouping, String name, Consumer<LongSupplier> use) {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            GroupedSequence<T> sequence = sequences.grouped(name, grouping);
            use.accept(() -> sequence.<Long, RuntimeException>commit(Turn::next));
        }
    }

    private static <T> void fromPool(
            OpenStore store, GaplessStore<T> pooling, String name, Consumer<LongSupplier> use) {
        try (StoreSequences sequences = StoreSequences.of(store)) {
            PooledSequence<T> sequence = sequences.pooled(name, pooling);
            use.accept(() -> pooling.<Long, RuntimeException>inTransaction(sequence::next));
        }
    }
}
