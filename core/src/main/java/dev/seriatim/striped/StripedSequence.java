// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.DrawFuture;
import dev.seriatim.internal.LossReporter;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;

/**
 * Draws from several counters, each of which is an ordinary sequence. Each thread has its own stripe, computed from its id;
 * the offset is random, so that the main threads of many processes do not share a stripe. An exhausted stripe is skipped
 * until all are exhausted. Then each is tried again, because bounds may have been altered. Thread-safe.
 */
public final class StripedSequence implements Sequence, LossReporter {

    private static final int DEALING = 0;
    private static final int SPENT = 1;

    private final Striping striping;
    private final Sequence[] stripes;
    private final boolean ordered;
    private final Runnable closing;
    private final AtomicIntegerArray spent;
    private final int offset = ThreadLocalRandom.current().nextInt();

    /** Creates a sequence over open stripes, which {@code closing} closes; {@code ordered} means that each stripe is ordered. */
    public StripedSequence(Striping striping, Sequence[] stripes, boolean ordered, Runnable closing) {
        this.striping = striping;
        this.stripes = stripes;
        this.ordered = ordered;
        this.closing = closing;
        spent = new AtomicIntegerArray(stripes.length);
    }

    @Override
    public String name() {
        return striping.name();
    }

    @Override
    public long next() {
        int home = home();
        if (spent.get(home) == DEALING) {
            try {
                return striping.value(stripes[home].next(), home);
            } catch (SequenceException.Exhausted e) {
                spent.set(home, SPENT);
            }
        }
        return anywhere(home, stripe -> striping.value(stripes[stripe].next(), stripe));
    }

    /** Returns a block from one stripe: shorter if that stripe has fewer values left, even if others have more. */
    @Override
    public Block next(int count) {
        SequenceDefinition.checkCount(name(), count);
        return anywhere(home(), stripe -> striped(stripes[stripe].next(count), stripe));
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        DrawFuture<Long> next = DrawFuture.pending();
        draw(next, home(), 0);
        return next;
    }

    @Override
    public Sequence local() {
        return new StripedCursor(this, ThreadLocalRandom.current().nextInt(stripes.length));
    }

    @Override
    public void close() {
        closing.run();
    }

    /** Reports the loss through the stripe that dealt the values, in the stripe's own values, like its other losses. */
    @Override
    public void reportLost(long first, long count, long increment) {
        if (stripes[Math.floorMod(first, stripes.length)] instanceof LossReporter stripe) {
            stripe.reportLost(Math.floorDiv(first, stripes.length), count, count == 1 ? 1 : increment / stripes.length);
        }
    }

    /** Returns what one caller draws from at a stripe. */
    Sequence cursor(int stripe) {
        return ordered ? stripes[stripe] : stripes[stripe].local();
    }

    void close(Sequence cursor) {
        if (!ordered) {
            cursor.close();
        }
    }

    Striping striping() {
        return striping;
    }

    /** Converts a stripe's block to values of the striped sequence. */
    Block striped(Block block, int stripe) {
        striping.value(block.last(), stripe); // throws if it exceeds 64 bits
        return new Block(striping.value(block.first(), stripe), block.count(), striping.value(block.increment(), 0));
    }

    private int home() {
        return Integer.remainderUnsigned((int) Thread.currentThread().getId() + offset, stripes.length);
    }

    private <T> T anywhere(int home, IntFunction<T> draw) {
        for (int tried = 0; tried < 2 * stripes.length; tried++) {
            int stripe = (home + tried) % stripes.length;
            if (isAsked(tried, stripe)) {
                try {
                    T drawn = draw.apply(stripe);
                    spent.set(stripe, DEALING);
                    return drawn;
                } catch (SequenceException.Exhausted e) {
                    spent.set(stripe, SPENT);
                }
            }
        }
        throw striping.exhausted();
    }

    private void draw(DrawFuture<Long> next, int home, int triedBefore) {
        int tried = triedBefore;
        while (tried < 2 * stripes.length && !isAsked(tried, (home + tried) % stripes.length)) {
            tried++;
        }
        if (tried == 2 * stripes.length) {
            next.completeExceptionally(striping.exhausted());
            return;
        }
        int stripe = (home + tried) % stripes.length;
        int further = tried + 1;
        try {
            CompletionStage<Long> draw = next.from(stripes[stripe].nextAsync());
            draw.whenComplete((counter, failure) -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (failure == null) {
                    spent.set(stripe, DEALING);
                    next.deliver(() -> striping.value(counter, stripe));
                } else if (cause instanceof SequenceException.Exhausted) {
                    spent.set(stripe, SPENT);
                    draw(next, home, further);
                } else {
                    next.completeExceptionally(failure);
                }
            });
        } catch (Throwable e) {
            next.completeExceptionally(e);
        }
    }

    /** In the first round, only tries stripes that are known to have values. */
    private boolean isAsked(int tried, int stripe) {
        return tried >= stripes.length || spent.get(stripe) == DEALING;
    }
}
