// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Turn;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Site;
import dev.seriatim.bench.simulation.ModeProfile;
import dev.seriatim.bench.simulation.StoreTimes;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A mode of the library. Immutable. */
public record ModeContender(DrawMode mode) implements Contender {

    /** Returns all modes. */
    public static List<ModeContender> all() {
        return Arrays.stream(DrawMode.values()).map(ModeContender::new).toList();
    }

    @Override
    public String name() {
        return mode.name();
    }

    @Override
    public Iteration iteration(Stage stage) {
        return switch (mode) {
            case SYNC -> inTransactions(stage);
            case GROUPED -> inGroups(stage);
            case POOLED -> fromPool(stage);
            default -> stage.drawing(mode.allocation(stage.plan()));
        };
    }

    @Override
    public Optional<String> missingFrom(Site site, RunPlan plan) {
        return mode.missingIn(site.store());
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
        return mode.promise().ordered();
    }

    @Override
    public boolean gapless() {
        return mode.promise().gapless();
    }

    @Override
    public boolean hasBatchSize() {
        return mode.hasBatchSize();
    }

    @Override
    public boolean hasLowWaterMark() {
        return mode.hasLowWaterMark();
    }

    @Override
    public boolean dealsFromBlocks() {
        return mode.dealsFromBlocks();
    }

    @Override
    public boolean dealsFromMemory() {
        return mode.dealsFromMemory();
    }

    @Override
    public double limitPerSecond(int threads, StoreTimes store, double application) {
        return ModeProfile.of(mode).limit().perSecond(threads, store, application);
    }

    private Iteration inTransactions(Stage stage) {
        if (stage.store() instanceof TransactionScope<?> scope) {
            return inTransactions(scope, stage);
        }
        throw notOffered(stage);
    }

    private static <T> Iteration inTransactions(TransactionScope<T> scope, Stage stage) {
        TransactionalSequence<T> sequence = TransactionalSequence.of(scope, stage.sequence());
        return new DrawInTransaction<>(
                scope, sequence::next, stage.application(), stage.plan().numbersPerIteration());
    }

    private Iteration inGroups(Stage stage) {
        if (stage.store() instanceof GroupingStore<?> grouping) {
            return DrawInGroup.in(grouping, stage);
        }
        throw notOffered(stage);
    }

    private Iteration fromPool(Stage stage) {
        if (stage.store() instanceof GaplessStore<?> pooling) {
            return fromPool(pooling, stage);
        }
        throw notOffered(stage);
    }

    private static <T> Iteration fromPool(GaplessStore<T> store, Stage stage) {
        PooledSequence<T> sequence = stage.sequences().pooled(stage.sequence(), store);
        return new DrawFromPool<>(
                store, sequence, stage.application(), stage.plan().numbersPerIteration());
    }

    private IllegalStateException notOffered(Stage stage) {
        return new IllegalStateException(stage.store() + " offers no " + mode);
    }

    /** Claims all numbers of a transaction at once, first, and then uses each. Thread-safe. */
    private record DrawFromPool<T>(
            TransactionScope<T> scope, PooledSequence<T> sequence, ClientWork application, int times)
            implements Iteration {

        @Override
        public boolean run(DrawLog draw) {
            draw.started = System.nanoTime();
            boolean whole =
                    scope.<Boolean, RuntimeException>inTransaction(transaction -> drawAndWork(transaction, draw));
            draw.finished = System.nanoTime();
            return whole;
        }

        private boolean drawAndWork(T transaction, DrawLog draw) {
            draw.restart();
            draw.begin();
            sequence.next(transaction, times).forEach(draw::took);
            for (int i = 0; i < draw.count(); i++) {
                application.use(transaction, draw.value(i));
            }
            application.useTogether(transaction, draw);
            return application.rest();
        }
    }

    /** Draws and uses numbers in a transaction that threads share. Thread-safe. */
    private record DrawInGroup<T>(GroupedSequence<T> sequence, ClientWork application, int times) implements Iteration {

        static <T> Iteration in(GroupingStore<T> store, Stage stage) {
            GroupedSequence<T> sequence = stage.sequences().grouped(stage.sequence(), store);
            return new DrawInGroup<>(sequence, stage.application(), stage.plan().numbersPerIteration());
        }

        @Override
        public boolean run(DrawLog draw) {
            draw.started = System.nanoTime();
            boolean whole = sequence.<Boolean, RuntimeException>commit(turn -> drawAndWork(turn, draw));
            draw.finished = System.nanoTime();
            return whole;
        }

        /** Repeated if another unit of the group fails. */
        private boolean drawAndWork(Turn<T> turn, DrawLog draw) {
            draw.restart();
            for (int i = 0; i < times; i++) {
                draw.begin();
                long value = turn.next();
                draw.took(value);
                application.use(turn.transaction(), value);
            }
            application.useTogether(turn.transaction(), draw);
            return application.rest();
        }
    }
}
