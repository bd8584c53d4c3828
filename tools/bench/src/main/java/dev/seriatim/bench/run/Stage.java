// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.GroupedSequence;
import dev.seriatim.PooledSequence;
import dev.seriatim.Sequence;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.Measured;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.cli.draw.DrawMode;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.GaplessStore;
import dev.seriatim.store.GroupingStore;
import dev.seriatim.store.TransactionScope;
import dev.seriatim.store.TransactionalSequence;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The resources of a run, and the ways to draw; closed when the run ends. Used by one thread.
 *
 * @param isGuest whether another process creates and drops the resources
 * @param closing what to do at the end of the run; the last one runs first
 */
record Stage(
        Site site,
        String sequence,
        RunPlan plan,
        ClientWork work,
        boolean isGuest,
        Deque<Runnable> closing,
        StoreSequences sequences)
        implements AutoCloseable {

    static Stage of(Site site, String sequence, RunPlan plan, ClientWork work, boolean isGuest) {
        StoreSequences sequences = StoreSequences.of(site.store());
        Deque<Runnable> closing = new ArrayDeque<>();
        closing.push(sequences::close);
        return new Stage(site, sequence, plan, work, isGuest, closing, sequences);
    }

    /** Returns the table of a run that inserts rows. */
    ScratchTable table() {
        return Objects.requireNonNull(work.table());
    }

    /** Returns another instance of the library on the same store, as in another process. */
    StoreSequences newInstance() {
        StoreSequences instance = StoreSequences.of(site.store());
        onClose(instance::close);
        return instance;
    }

    void onClose(Runnable end) {
        closing.push(end);
    }

    Iteration iteration() {
        return plan.mode().opening().apply(this);
    }

    Measured run(Iteration iteration, AtomicBoolean stop, LongConsumer begun) {
        return plan.workload().run(plan.threads(), plan.mode().ordered(), iteration, stop, begun);
    }

    /** Returns iterations that draw from the run's sequence in a mode. */
    Iteration drawing(DrawMode mode) {
        if (mode == DrawMode.SYNC && site.store() instanceof TransactionScope<?> scope) {
            return inTransactions(scope);
        }
        if (mode == DrawMode.GROUPED && site.store() instanceof GroupingStore<?> grouping) {
            return inGroups(grouping);
        }
        if (mode == DrawMode.POOLED && site.store() instanceof GaplessStore<?> pooling) {
            return fromPool(pooling);
        }
        return plan.setting().instancePerThread()
                ? Iteration.openedBy(() -> drawing(newInstance().open(sequence, allocation(mode))))
                : drawing(sequences.open(sequence, allocation(mode)));
    }

    private Allocation allocation(DrawMode mode) {
        return mode.allocation(plan.batchSize(), plan.lowWaterMark());
    }

    private <T> Iteration inTransactions(TransactionScope<T> scope) {
        TransactionalSequence<T> numbers = TransactionalSequence.of(scope, sequence);
        return draw -> site.repeating(() -> scope.<Boolean, RuntimeException>inTransaction(
                transaction -> drawEach(draw, () -> numbers.next(transaction), transaction)));
    }

    private <T> Iteration inGroups(GroupingStore<T> grouping) {
        GroupedSequence<T> numbers = sequences.grouped(sequence, grouping);
        return draw ->
                numbers.<Boolean, RuntimeException>commit(turn -> drawEach(draw, turn::next, turn.transaction()));
    }

    /** Claims all numbers of a transaction at once, first, and then uses each. */
    private <T> Iteration fromPool(GaplessStore<T> pooling) {
        PooledSequence<T> numbers = sequences.pooled(sequence, pooling);
        return draw -> pooling.<Boolean, RuntimeException>inTransaction(transaction -> {
            draw.restart();
            draw.begin();
            numbers.next(transaction, plan.numbersPerIteration()).forEach(draw::took);
            return work.useAll(transaction, draw);
        });
    }

    /** Draws and uses one number after another in a transaction. */
    private boolean drawEach(DrawLog draw, LongSupplier numbers, Object transaction) {
        draw.restart();
        for (int i = 0; i < plan.numbersPerIteration(); i++) {
            draw.begin();
            long value = numbers.getAsLong();
            draw.took(value);
            work.use(transaction, value);
        }
        return work.end(transaction, draw);
    }

    Iteration drawing(Sequence numbers) {
        Setting setting = plan.setting();
        if (setting.inOneStatement()) {
            return plan.mode().dealsFromBlocks()
                    ? draw -> drawAhead(draw, numbers, setting.rows(), this::insertBlock)
                    : draw -> drawAhead(draw, numbers, 1, block -> {}) && work.after(draw);
        }
        if (setting.rows() <= 1) {
            return drawing((LongSupplier) numbers::next);
        }
        // Numbers from memory are drawn when their row is inserted, so that the index grows nearly in order. Numbers
        // from the store are drawn before the transaction, which would hold a connection while it waits for them.
        boolean roomForRefills = site.hasConnections() && plan.threads() <= site.clients();
        return plan.mode().dealsFromMemory() && setting.form() == Setting.Form.ROW_BY_ROW && roomForRefills
                ? drawingIn(connection -> numbers::next)
                : draw -> drawAhead(draw, numbers, setting.rows(), block -> {}) && work.after(draw);
    }

    /** Draws all numbers of an application transaction before it starts, at most {@code atATime} in one call. */
    private boolean drawAhead(DrawLog draw, Sequence numbers, int atATime, Consumer<Block> use) {
        int left = plan.setting().rows();
        while (left > 0) {
            draw.begin();
            Block block = numbers.next(Math.min(left, atATime));
            draw.took(block);
            use.accept(block);
            left -= (int) block.count();
        }
        return true;
    }

    private void insertBlock(Block block) {
        site.inTransaction(connection -> table().insertSeries(
                        connection,
                        block.count(),
                        "n * " + block.increment() + " + ?",
                        block.first() - block.increment()));
    }

    /** Returns iterations that draw one number each. */
    Iteration drawing(LongSupplier numbers) {
        // Each draw is timed in scenarios with few draws.
        boolean sampled = !plan.mode().ordered() && !plan.setting().instancePerThread();
        return Iteration.drawing(numbers, work.isIdle() && sampled, this::after);
    }

    /** Does the other work for numbers drawn before: in the published experiment, in a transaction even if it is empty. */
    private boolean after(DrawLog draw) {
        boolean empty = plan.scenario().equals("spanner") && !site.hasTables(); // one over JDBC would send nothing
        if (empty && site.store() instanceof TransactionScope<?> scope) {
            return scope.<Boolean, RuntimeException>inTransaction(transaction -> work.rest());
        }
        return work.after(draw);
    }

    /** Returns iterations that draw and use numbers in a transaction of the database. */
    Iteration drawingIn(Function<Connection, LongSupplier> numbers) {
        return draw -> site.inTransaction(connection -> drawEach(draw, numbers.apply(connection), connection));
    }

    /** Returns iterations that insert a row, do the other work, and then draw and store its number. */
    Iteration drawingLast() {
        TransactionalSequence<Connection> numbers = TransactionalSequence.of(site.tables(), sequence);
        return draw -> site.inTransaction(connection -> {
            draw.restart();
            long id = table().insertWithoutNumber(connection);
            if (work.rest()) {
                draw.begin();
                draw.took(numbers.last(connection, number -> table().number(connection, id, number)));
            }
            return draw.count() > 0;
        });
    }

    /** Returns iterations in which statements of the database make the numbers, before the other work. */
    Iteration inserting(BiConsumer<Connection, DrawLog> statements) {
        return draw -> site.inTransaction(connection -> {
            draw.restart();
            statements.accept(connection, draw);
            return work.rest();
        });
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
