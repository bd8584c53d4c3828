// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One caller's cursor over small runs of a sequence's values. Not thread-safe. */
final class LocalCursor implements Sequence {

    private static final long RUN = 64;

    private final BlockSequence sequence;
    private long value;
    private long increment;
    private long left;
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
        if (left == 0) {
            refill();
        }
        long next = value;
        left--;
        value = next + increment; // behind the last value this may wrap, and is not used
        return next;
    }

    private void refill() {
        checkOpen();
        sequence.fill(this, RUN);
    }

    /** Deals these from now on; what was left before is forgotten. */
    void deal(long first, long step, long count) {
        value = first;
        increment = step;
        left = count;
    }

    @Override
    public Block next(int count) {
        checkOpen();
        if (Counts.checked(name(), count) > left) {
            return sequence.next(count);
        }
        Block block = new Block(value, count, increment);
        left -= count;
        value += count * increment;
        return block;
    }

    /** From this cursor's run while there is one, so that the caller's own order is kept; else from the sequence. */
    @Override
    public CompletionStage<Long> nextAsync() {
        checkOpen();
        return left > 0 ? CompletableFuture.completedFuture(next()) : sequence.nextAsync();
    }

    @Override
    public Sequence local() {
        return this;
    }

    /** Loses what is left of the run, at most 63 values, and says so to the listener. */
    @Override
    public void close() {
        @Nullable Block rest = left == 0 ? null : new Block(value, left, increment);
        closed = true;
        left = 0;
        if (rest != null) {
            sequence.lose(rest);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this cursor of sequence " + SequenceException.quoted(name())
                    + " is closed; take another with local()");
        }
    }
}
