// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.bench.run;

import dev.seriatim.Allocation;
import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.bench.load.DrawLog;
import dev.seriatim.bench.load.Iteration;
import dev.seriatim.bench.load.ScratchTable;
import dev.seriatim.bench.load.Site;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.store.OpenStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The resources of a run; closed when it ends. Used by one thread.
 */
public final class Stage implements AutoCloseable {

    private final Site site;
    private final String sequence;
    private final RunPlan plan;
    private final ClientWork application;
    private final boolean guest;
    private final Deque<Runnable> closing = new ArrayDeque<>();
    private final StoreSequences sequences;

    /**
     * Creates the stage.
     *
     * @param site the store under test
     * @param sequence the temporary sequence of the run
     * @param plan the run
     * @param application the use of each number
     * @param guest whether another process creates and drops the resources
     */
    public Stage(Site site, String sequence, RunPlan plan, ClientWork application, boolean guest) {
        this.site = site;
        this.sequence = sequence;
        this.plan = plan;
        this.application = application;
        this.guest = guest;
        sequences = newInstance();
    }

    Site site() {
        return site;
    }

    OpenStore store() {
        return site.store();
    }

    /** Returns an instance of the library for this run. */
    StoreSequences sequences() {
        return sequences;
    }

    String sequence() {
        return sequence;
    }

    RunPlan plan() {
        return plan;
    }

    ClientWork application() {
        return application;
    }

    /** Returns whether another process creates and drops the resources. */
    boolean isGuest() {
        return guest;
    }

    /** Returns the table of a run that inserts rows. */
    ScratchTable table() {
        if (application instanceof InsertedRows rows) {
            return rows.table();
        }
        throw new IllegalStateException(plan.fullTitle() + " has no table");
    }

    /** Returns another instance of the library on the same store, as in another process. */
    StoreSequences newInstance() {
        StoreSequences instance = StoreSequences.of(site.store());
        onClose(instance::close);
        return instance;
    }

    /** Registers an action for the end of the run; the last one runs first. */
    void onClose(Runnable end) {
        closing.push(end);
    }

    /** Returns iterations that draw from the run's sequence with an allocation. */
    public Iteration drawing(Allocation allocation) {
        if (plan.setting().instances() == Setting.Instances.ONE_PER_THREAD) {
            return new InstancePerClient(() -> drawing(newInstance().open(sequence, allocation)));
        }
        return drawing(sequences.open(sequence, allocation));
    }

    /** Returns iterations that draw from a sequence. */
    public Iteration drawing(Sequence numbers) {
        Setting.Use use = plan.setting().use();
        if (use.inOneStatement()) {
            return BulkInsert.drawing(numbers, this);
        }
        if (use.rows() <= 1) {
            return drawing((LongSupplier) numbers::next);
        }
        // Numbers from memory are drawn when their row is inserted, so that the index grows nearly in order. Numbers
        // from the
        // store are drawn before the transaction, which would hold a connection while it waits for them.
        boolean roomForRefills = site.hasConnections() && plan.threads() <= site.clients();
        return plan.mode().dealsFromMemory() && use.oneByOne() && roomForRefills
                ? new DrawInTransaction<>(site.tables(), connection -> numbers.next(), application, use.rows())
                : new DrawSeveralThenWork(numbers::next, application, use.rows());
    }

    /** Returns iterations that draw one number each. */
    public Iteration drawing(LongSupplier numbers) {
        // Each draw is timed in scenarios with few draws.
        boolean sampled = !plan.mode().ordered() && plan.setting().instances() == Setting.Instances.SHARED;
        return new DrawThenWork(numbers, application, sampled);
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }

    /**
     * Draws all numbers of an application transaction before it starts. Thread-safe.
     *
     * @param numbers draws several numbers
     * @param application the transaction
     * @param times numbers per transaction
     */
    private record DrawSeveralThenWork(IntFunction<Block> numbers, ClientWork application, int times)
            implements Iteration {

        @Override
        public boolean run(DrawLog draw) {
            draw.started = System.nanoTime();
            while (draw.count() < times) {
                draw.begin();
                draw.took(numbers.apply(times - draw.count()));
            }
            boolean whole = application.after(draw);
            draw.finished = System.nanoTime();
            return whole;
        }
    }

    /** Opens a separate instance of a contender for each client. Used by one thread. */
    private record InstancePerClient(Supplier<Iteration> opening) implements Iteration {

        @Override
        public boolean run(DrawLog draw) {
            throw new IllegalStateException("each client needs its own iteration");
        }

        @Override
        public Iteration ofOneClient() {
            return opening.get();
        }
    }
}
