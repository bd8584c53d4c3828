// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.LossReporter;
import dev.seriatim.internal.Messages;
import java.util.concurrent.CompletionStage;

/** One caller's cursor over small runs of a sequence's values. Not thread-safe. */
final class LocalCursor implements Sequence, LossReporter {

    /** Without org.crac, no checkpoint is announced, and draws need not check for one. */
    private static final boolean MAY_BE_SAVED = maySave();

    /** Replaced when this process is saved. An older run may also exist in a copy of the process. */
    private static volatile Object generation = new Object();

    private final BlockSequence sequence;
    private final Run run = new Run(null);
    private Object runGeneration = generation;
    private boolean closed;

    LocalCursor(BlockSequence sequence) {
        this.sequence = sequence;
    }

    @Override
    public String name() {
        return sequence.name();
    }

    @Override
    public long next() {
        if (run.left == 0 || (MAY_BE_SAVED && runGeneration != generation)) {
            checkOpen();
            dropOutdated();
            sequence.fillCursor(run);
        }
        return run.next();
    }

    private static boolean maySave() {
        try {
            Class.forName("org.crac.Core", false, LocalCursor.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Ends the runs of all cursors in this process at their next draw. */
    static void endRuns() {
        generation = new Object();
    }

    private void dropOutdated() {
        Object now = generation;
        if (runGeneration != now) {
            runGeneration = now;
            loseRun();
        }
    }

    @Override
    public Block next(int count) {
        checkOpen();
        dropOutdated();
        return SequenceDefinition.checkCount(name(), count) > run.left ? sequence.next(count) : run.next(count);
    }

    /** Draws from the run while it lasts, which keeps the caller's own order. */
    @Override
    public CompletionStage<Long> nextAsync() {
        checkOpen();
        dropOutdated();
        if (run.left == 0) {
            return sequence.nextAsync();
        }
        Block value = run.next(1);
        return DrawFuture.of(value.first(), () -> sequence.lose(value));
    }

    @Override
    public Sequence local() {
        return this;
    }

    @Override
    public void reportLost(long first, long count, long increment) {
        sequence.reportLost(first, count, increment);
    }

    @Override
    public void close() {
        closed = true;
        loseRun();
    }

    private void loseRun() {
        if (run.left > 0) {
            sequence.lose(run.rest());
            run.left = 0;
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this cursor of sequence " + Messages.quoted(name()) + " is closed; take another with local()");
        }
    }
}
