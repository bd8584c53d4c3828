// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.internal.Counts;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.Losing;
import dev.seriatim.internal.Messages;
import java.util.concurrent.CompletionStage;

/** One caller's cursor over small runs of a sequence's values. Not thread-safe. */
final class LocalCursor implements Sequence, Losing {

    /** Without org.crac, no checkpoint is announced, and draws need not look for one. */
    private static final boolean MAY_BE_SAVED = maySave();

    /** Replaced when this process is saved; a run that is older may be in a copy of the process, too. */
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

    /** Ends the runs of all cursors in this process, which see it at their next draw. */
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
        return Counts.checked(name(), count) > run.left ? sequence.next(count) : run.next(count);
    }

    /** From this cursor's run while there is one, so that the caller's own order is kept; else from the sequence. */
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
    public void lose(Block values) {
        sequence.lose(values);
    }

    /** Loses what is left of the run, at most 63 values, and says so to the listener. */
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
