// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.striped;

import dev.seriatim.Block;
import dev.seriatim.Sequence;
import dev.seriatim.SequenceException;
import dev.seriatim.internal.LossReporter;
import dev.seriatim.internal.Messages;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A single caller's cursor: draws from one stripe until that is exhausted, then from the next. Not thread-safe. */
final class StripedCursor implements Sequence, LossReporter {

    private final StripedSequence sequence;
    private int stripe;
    private Sequence cursor;
    private boolean closed;

    StripedCursor(StripedSequence sequence, int stripe) {
        this.sequence = sequence;
        this.stripe = stripe;
        cursor = sequence.cursor(stripe);
    }

    @Override
    public String name() {
        return sequence.name();
    }

    @Override
    public long next() {
        checkOpen();
        try {
            return sequence.striping().value(cursor.next(), stripe);
        } catch (SequenceException.Exhausted e) {
            return draw(() -> sequence.striping().value(cursor.next(), stripe));
        }
    }

    @Override
    public void reportLost(long first, long count, long increment) {
        sequence.reportLost(first, count, increment);
    }

    @Override
    public Block next(int count) {
        return draw(() -> sequence.striped(cursor.next(count), stripe));
    }

    /** Draws from the sequence, because the stripe may be found exhausted on another thread. */
    @Override
    public CompletionStage<Long> nextAsync() {
        checkOpen();
        return sequence.nextAsync();
    }

    @Override
    public Sequence local() {
        return this;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            sequence.close(cursor);
        }
    }

    private <T> T draw(Supplier<T> draw) {
        checkOpen();
        int stripes = sequence.striping().stripes();
        for (int tried = 0; tried < stripes; tried++) {
            try {
                return draw.get();
            } catch (SequenceException.Exhausted e) {
                sequence.close(cursor);
                stripe = (stripe + 1) % stripes;
                cursor = sequence.cursor(stripe);
            }
        }
        throw sequence.striping().exhausted();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "this cursor of sequence " + Messages.quoted(name()) + " is closed; call local() for a new one");
        }
    }
}
