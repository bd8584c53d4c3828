// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.dispatch.Suspendable;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.line.WaitingLine;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.LossReporter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The block modes: one atomic step per draw, and the line when a step leads beyond the block. Thread-safe. One class for all
 * block modes keeps the call of {@code next()} monomorphic; they differ in their {@link Sizing}.
 *
 * <p>While only one thread has ever drawn, it deals from a {@link Run} of its own without an atomic step. The first draw of
 * another thread ends this for good. Every later draw sees that, so values still rise within this instance.
 */
public final class BlockSequence extends BlockStock implements Sequence, LossReporter, Suspendable {

    /** How long closing waits for the owner of a run to end its draw. */
    private static final Duration MAX_DRAW = Duration.ofMillis(200);

    private static final Run NONE = new Run(null);
    private static final VarHandle SOLO;

    static {
        try {
            SOLO = MethodHandles.lookup().findVarHandle(BlockSequence.class, "solo", Run.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SequenceContext context;
    private final WaitingLine line;
    private final boolean givesBack;

    /** The only drawing thread's run; {@link #NONE} before the first draw, null once several threads have drawn. */
    private volatile @Nullable Run solo = NONE;

    /** The first thread's run once another has drawn; ended by its owner's next slow draw, or on close. Written under the lock. */
    private volatile @Nullable Run abandoned;

    public BlockSequence(SequenceContext context, Reserver reserver, Sizing sizing, boolean givesBack) {
        super(sizing);
        this.context = context;
        this.givesBack = givesBack;
        this.line = new WaitingLine(context, reserver, this, sizing.maxReservations());
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public long next() {
        Run own = solo;
        if (own != null) {
            return nextAlone(own);
        }
        Span span = current;
        long place = span.step();
        if (place < span.trigger) {
            return span.at(place);
        }
        return nextFromTrigger(span, place);
    }

    private long nextAlone(Run own) {
        if (own.owner != Thread.currentThread()) {
            return nextAfter(own);
        }
        return own.left > 0 ? own.next() : refilled(own);
    }

    private long nextAfter(Run own) {
        Run first = new Run(Thread.currentThread());
        if (own == NONE && SOLO.compareAndSet(this, NONE, first)) {
            return refilled(first);
        }
        amongOthers(own);
        return next();
    }

    private long refilled(Run own) {
        long length = Math.min(Run.LENGTH, current.count / Run.SHARE);
        if (length > 1) {
            fill(own, length);
            return own.left > 0 ? own.next() : next(); // a listener may have closed the sequence meanwhile
        }
        Span span = current;
        long place = span.step();
        return place < span.trigger ? span.at(place) : nextFromTrigger(span, place);
    }

    private void amongOthers(Run own) {
        line.lock.lock();
        try {
            if (SOLO.compareAndSet(this, own, null) && own != NONE) {
                abandoned = own;
            }
        } finally {
            line.lock.unlock();
        }
    }

    /** Prepares a draw from the block itself: returns this thread's run to it, and ends another thread's run. */
    private void withoutRun() {
        Run own = solo;
        if (own != null) {
            loseAll(endOwn(own));
        }
    }

    private List<Unused> endOwn(Run own) {
        if (own.owner != Thread.currentThread()) {
            amongOthers(own);
            return List.of();
        }
        return own.left > 0 ? end(own) : List.of();
    }

    /** Ends a run that its owner does not deal from now. Returns the rest, unless it goes back into the block. */
    private List<Unused> end(Run run) {
        line.lock.lock();
        try {
            if (abandoned == run) {
                abandoned = null;
            }
            Unused rest = run.takeBack(current);
            return rest == null ? List.of() : List.of(rest);
        } finally {
            line.lock.unlock();
        }
    }

    private void loseAll(List<Unused> values) {
        values.forEach(unused -> lose(unused.block()));
    }

    private long nextFromTrigger(Span begun, long stepped) {
        Span span = begun;
        long place = stepped;
        while (place >= span.count) {
            if (!movedOn(span)) {
                return line.draw(1).first();
            }
            span = current;
            place = span.step();
        }
        if (place == span.trigger) {
            line.sendDue();
        }
        return span.at(place);
    }

    /** Begins the next block unless another thread has; returns false if there is none. */
    private boolean movedOn(Span spent) {
        endAbandoned();
        return line.locked(() -> current != spent || beginNext());
    }

    /** Ends this thread's run after another thread has drawn; not a run that is about to be filled. */
    private void endAbandoned() {
        Run run = abandoned;
        if (run != null && run.owner == Thread.currentThread() && run.left > 0) {
            loseAll(end(run));
        }
    }

    @Override
    public Block next(int count) {
        SequenceDefinition.checkCount(context.name(), count);
        withoutRun();
        Span span = current;
        long place = span.stepExactly(count);
        if (place < 0) {
            return line.draw(count);
        }
        sendIfCrossed(span, place, count);
        return span.block.slice(place, count);
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        withoutRun();
        Span span = current;
        long place = span.stepExactly(1);
        if (place < 0) {
            return line.drawAsync();
        }
        sendIfCrossed(span, place, 1);
        long value = span.at(place);
        return DrawFuture.of(value, () -> lose(new Block(value, 1, span.increment)));
    }

    @Override
    public Sequence local() {
        return new LocalCursor(this);
    }

    /** Fills a cursor's run, on any thread. */
    void fillCursor(Run run) {
        withoutRun();
        fill(run, Run.LENGTH);
    }

    /** Fills a run with 1 to {@code length} values in one piece. Waits if there are none. */
    private void fill(Run run, long length) {
        Span span = current;
        long place = span.step(length);
        while (place >= span.count) {
            if (!movedOn(span)) {
                Block one = line.draw(1);
                run.deal(one.first(), one.increment(), 1);
                return;
            }
            span = current;
            place = span.step(length);
        }
        long taken = Math.min(length, span.count - place);
        run.deal(span, place, length, taken);
        sendIfCrossed(span, place, taken);
    }

    @Override
    public void reportLost(long first, long count, long increment) {
        lose(new Block(first, count, increment));
    }

    void lose(Block values) {
        context.listener().call(l -> l.lost(context.name(), values));
    }

    /** {@inheritDoc} Reads the owner's run without a barrier. */
    @Override
    public long inHand() {
        Run own = solo;
        Run run = own == null ? abandoned : own;
        return line.locked(() -> remaining() + (run == null ? 0 : run.left));
    }

    @Override
    public void suspend() {
        long deadline = context.deadline();
        List<Unused> left = line.suspend(deadline);
        left.addAll(endOthersRun());
        LocalCursor.endRuns();
        line.putAway(left, givesBack, deadline);
    }

    @Override
    public void resume() {
        line.resume();
    }

    private void sendIfCrossed(Span span, long place, long taken) {
        if (place <= span.trigger && span.trigger < place + taken) {
            line.sendDue();
        }
    }

    @Override
    public void close() {
        Run own = solo;
        List<Unused> left = new ArrayList<>(own == null ? List.of() : endOwn(own));
        line.close(deadline -> {
            left.addAll(endOthersRun());
            left.addAll(line.drain());
            line.putAway(left, givesBack, deadline);
        });
    }

    /** Waits for the owner to end its draw. After {@link #MAX_DRAW}, the owner itself reports the rest lost. */
    private List<Unused> endOthersRun() {
        Run run = abandoned;
        long patience = MAX_DRAW.toNanos();
        long began = context.timing().now();
        while (run != null && context.timing().now() - began < patience) {
            if (run.resting()) {
                return end(run);
            }
            context.timing().park(this, patience / 1000);
            run = abandoned;
        }
        return List.of();
    }

    @Override
    public List<Unused> discarded(boolean all) {
        Run own = solo;
        if (all && own != null) {
            amongOthers(own);
        }
        return super.discarded(all);
    }
}
