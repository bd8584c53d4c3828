// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.lab.bench.contender;

import dev.seriatim.Allocation;
import dev.seriatim.Sequence;
import dev.seriatim.engine.StoreSequences;
import dev.seriatim.lab.bench.load.Iteration;
import dev.seriatim.lab.bench.site.ScratchTable;
import dev.seriatim.lab.bench.site.Site;
import dev.seriatim.store.OpenStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Where a run takes place, and what it opens there; closed when the run has ended. Used by one thread.
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
     * Sets the stage.
     *
     * @param site the store under test
     * @param sequence the sequence made for this run
     * @param plan what is run
     * @param application what is done with each number
     * @param guest whether another process has made what the run needs, and will remove it
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

    /** The sequences of the store, of this run alone. */
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

    /** Whether another process has made what the run needs, and will remove it. */
    boolean isGuest() {
        return guest;
    }

    /** The table of the run, where numbers become rows. */
    ScratchTable table() {
        if (application instanceof InsertedRows rows) {
            return rows.table();
        }
        throw new IllegalStateException(plan.fullTitle() + " has no table");
    }

    /** Another instance of the library over the same store, as if in another process. */
    StoreSequences newInstance() {
        StoreSequences instance = StoreSequences.of(site.store());
        onClose(instance::close);
        return instance;
    }

    /** Something to be done when the run has ended; what was named last is done first. */
    void onClose(Runnable end) {
        closing.push(end);
    }

    /** Iterations that draw from the run's sequence, opened in a mode. */
    public Iteration drawing(Allocation allocation) {
        if (plan.setting().instances() == Setting.Instances.ONE_PER_THREAD) {
            return new InstancePerClient(() -> drawing(newInstance().open(sequence, allocation)));
        }
        return drawing(sequences.open(sequence, allocation));
    }

    /** Iterations that draw from a sequence. */
    public Iteration drawing(Sequence numbers) {
        Setting.Use use = plan.setting().use();
        if (use.inOneStatement()) {
            return BulkInsert.drawing(numbers, this);
        }
        if (use.rows() <= 1) {
            return drawing((LongSupplier) numbers::next);
        }
        // What comes from memory is drawn when its row is inserted, so that rows come nearly in the order of their
        // numbers,
        // which the index likes. What comes from the store is not: a transaction that waits for it holds a connection.
        boolean roomForRefills = site.hasConnections() && plan.threads() <= site.clients();
        return plan.mode().dealsFromMemory() && use.oneByOne() && roomForRefills
                ? new DrawInTransaction<>(site.tables(), connection -> numbers.next(), application, use.rows())
                : new DrawSeveralThenWork(numbers::next, application, use.rows());
    }

    /** Iterations that draw from anything, one number each. */
    public Iteration drawing(LongSupplier numbers) {
        // Where few are drawn, as in the scenarios that count them, each is timed.
        boolean sampled = !plan.mode().ordered() && plan.setting().instances() == Setting.Instances.SHARED;
        return new DrawThenWork(numbers, application, sampled);
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
