// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.block;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.engine.dispatch.SequenceContext;
import dev.seriatim.engine.line.Reserver;
import dev.seriatim.engine.line.WaitingLine;
import dev.seriatim.engine.sizing.Sizing;
import dev.seriatim.internal.Counts;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.Holding;
import dev.seriatim.internal.Losing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The modes that keep values in hand: one atomic step per draw, and the line when that leads beyond the block.
 * Thread-safe.
 *
 * <p>While only one thread has ever drawn, it deals from a {@link Run} of its own without an atomic step. The first draw of
 * another thread ends that for good; since it is seen by every draw that begins after it, values still rise within this
 * instance.
 *
 * <p>One class for all of these modes, so that the call of {@code next()} stays the same one call for the compiler; what
 * differs is the {@link Sizing}.
 */
public final class BlockSequence extends BlockStock implements Sequence, Losing, Holding {

    /** How long closing waits for a draw from memory to end. */
    private static final Duration MOMENT = Duration.ofMillis(200);

    private static final Run NOBODY = new Run(null);
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

    /** The run of the only thread that draws; {@link #NOBODY} before the first draw, null once there are several. */
    private volatile @Nullable Run solo = NOBODY;

    /**
     * The first thread's run after a second thread joined; reported lost on its owner's next slow-path draw, or on close.
     * Written under the line's lock.
     */
    private volatile @Nullable Run abandoned;

    private BlockSequence(SequenceContext context, Reserver reserver, Sizing sizing, boolean givesBack) {
        super(sizing);
        this.context = context;
        this.givesBack = givesBack;
        this.line = new WaitingLine(context, reserver, this, false);
    }

    /** With {@code givesBack}, unused values go back to the store on close, if they can. */
    public static Sequence open(SequenceContext context, Reserver reserver, Sizing sizing, boolean givesBack) {
        return new BlockSequence(context, reserver, sizing, givesBack);
    }

    @Override
    public String name() {
        return context.name;
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

    /** The first draw of all makes its thread the only one; the first of another thread ends that. */
    private long nextAfter(Run own) {
        Run first = new Run(Thread.currentThread());
        if (own == NOBODY && SOLO.compareAndSet(this, NOBODY, first)) {
            return refilled(first);
        }
        amongOthers(own);
        return next();
    }

    private long refilled(Run own) {
        long length = Math.min(Run.LENGTH, current.count / Run.SHARE);
        if (length > 1) {
            fill(own, length);
            return own.left > 0 ? own.next() : next(); // unless a listener has closed it in there
        }
        Span span = current;
        long place = span.step();
        return place < span.trigger ? span.at(place) : nextFromTrigger(span, place);
    }

    private void amongOthers(Run own) {
        line.lock.lock();
        try {
            if (SOLO.compareAndSet(this, own, null) && own != NOBODY) {
                abandoned = own;
            }
        } finally {
            line.lock.unlock();
        }
    }

    /** For draws that deal from the block itself: the run goes back into it, or several threads draw from now on. */
    private void withoutRun() {
        Run own = solo;
        if (own != null) {
            loseAll(endOwn(own));
        }
    }

    /** What is left of this thread's run, if that cannot go back into its block. */
    private List<Held> endOwn(Run own) {
        if (own.owner != Thread.currentThread()) {
            amongOthers(own);
            return List.of();
        }
        return own.left > 0 ? end(own) : List.of();
    }

    /** Ends a run that its owner does not deal from at this moment: its rest goes back into the block, or is the caller's. */
    private List<Held> end(Run run) {
        line.lock.lock();
        try {
            if (abandoned == run) {
                abandoned = null;
            }
            Held rest = run.takeBack(current);
            return rest == null ? List.of() : List.of(rest);
        } finally {
            line.lock.unlock();
        }
    }

    private void loseAll(List<Held> values) {
        values.forEach(held -> lose(held.block()));
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
            line.pump();
        }
        return span.at(place);
    }

    /** Whether there is another block to deal from than the one that is spent: of this caller's making, or another's. */
    private boolean movedOn(Span spent) {
        endAbandoned();
        line.lock.lock();
        try {
            return current != spent || beginNext();
        } finally {
            line.lock.unlock();
        }
    }

    /** Ends a run that another thread's draw has made its owner leave; not one that is about to be filled. */
    private void endAbandoned() {
        Run run = abandoned;
        if (run != null && run.owner == Thread.currentThread() && run.left > 0) {
            loseAll(end(run));
        }
    }

    @Override
    public Block next(int count) {
        Counts.checked(context.name, count);
        withoutRun();
        Span span = current;
        long place = span.stepExactly(count);
        if (place < 0) {
            return line.draw(count);
        }
        pumpIfCrossed(span, place, count);
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
        pumpIfCrossed(span, place, 1);
        long value = span.at(place);
        return DrawFuture.of(value, () -> lose(new Block(value, 1, span.increment)));
    }

    @Override
    public Sequence local() {
        return new LocalCursor(this);
    }

    /** Fills a cursor's run, whichever thread it is on. */
    void fillCursor(Run run) {
        withoutRun();
        fill(run, Run.LENGTH);
    }

    /** Fills a run with up to {@code length} values in one piece, at least one, waiting for it when there is none. */
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
        pumpIfCrossed(span, place, taken);
    }

    @Override
    public void lose(Block values) {
        context.listener.tell(l -> l.lost(context.name, values));
    }

    /** {@inheritDoc} The run that its owner deals from is read without a barrier. */
    @Override
    public long inHand() {
        Run own = solo;
        Run run = own == null ? abandoned : own;
        return line.inHand() + (run == null ? 0 : run.left);
    }

    @Override
    public void suspend() {
        List<Held> left = line.suspend();
        left.addAll(endOthersRun());
        LocalCursor.endRuns();
        line.putAway(left, givesBack);
    }

    @Override
    public void resume() {
        line.resume();
    }

    private void pumpIfCrossed(Span span, long place, long taken) {
        if (place <= span.trigger && span.trigger < place + taken) {
            line.pump();
        }
    }

    @Override
    public void close() {
        Run own = solo;
        List<Held> left = new ArrayList<>(own == null ? List.of() : endOwn(own));
        line.close(() -> {
            left.addAll(endOthersRun());
            left.addAll(line.drain());
            line.putAway(left, givesBack);
        });
    }

    /** Waits for its owner to finish the draw it is in. If that takes too long, the owner reports the rest lost later. */
    private List<Held> endOthersRun() {
        Run run = abandoned;
        long patience = MOMENT.toNanos();
        long began = context.timing.now();
        while (run != null && context.timing.now() - began < patience) {
            if (run.resting()) {
                return end(run);
            }
            context.timing.park(this, patience / 1000);
            run = abandoned;
        }
        return List.of();
    }

    @Override
    public List<Held> drain() {
        Run own = solo;
        if (own != null) {
            amongOthers(own);
        }
        return super.drain();
    }
}
