// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import dev.seriatim.engine.StoreSequences;
import java.util.concurrent.CompletionStage;

/**
 * Deals numbers of one sequence, in one mode. What is promised (unique, ordered) is said by the {@link Allocation} it was
 * opened with.
 *
 * <p>Waiting is fair (first come, first served), interruptible, and bounded by the patience of the {@link StoreSequences} it
 * comes from. When the store is down, what is left of a block is still dealt; the error comes with the first call that
 * needs the store, and the next call tries again.
 *
 * <p>Thread-safe, except what {@link #local()} returns.
 */
public interface Sequence extends AutoCloseable {

    /** The sequence's name in its store. */
    String name();

    /**
     * The next value.
     *
     * @throws SequenceException.NotFound when there is no such sequence
     * @throws SequenceException.Exhausted when every value has been dealt
     * @throws SequenceException.Unavailable when the store failed or did not answer in time, or this thread was
     *     interrupted while it waited (its interrupt status stays set). Draw again: values of a reservation whose answer was
     *     lost may be lost, and are never dealt twice
     * @throws SequenceException.Overloaded when the turn did not come in time
     * @throws SequenceException.Regressed when the store has gone back
     * @throws IllegalStateException when closed
     */
    long next();

    /**
     * The next {@code count} values in one piece, with at most one round trip to a store that can keep others from drawing
     * in between. Shorter only when the sequence has fewer left.
     *
     * @param count at least 1
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException as {@link #next()}
     */
    Block next(int count);

    /**
     * The next value, drawn on another thread: for callers inside a transaction whose store allows no second one on the
     * same thread. Completes exceptionally with what {@link #next()} would have thrown.
     *
     * <p>To stop waiting, cancel the stage's {@linkplain CompletionStage#toCompletableFuture() future}, or give it a timeout:
     * then the draw is withdrawn, and a value that was already reserved for it is reported {@linkplain SequenceListener#lost
     * lost}. A stage that depends on it, such as a copy, does not withdraw the draw when it is cancelled.
     */
    CompletionStage<Long> nextAsync();

    /**
     * A cursor for one caller, which takes small runs of values from this sequence: the fastest way, and <em>unordered
     * between cursors</em>. Not thread-safe; closing it leaves this sequence open, and reports what is left of its run lost. Close it
     * before this sequence: what a cursor that is never closed holds, at most 63 values, is lost without a report.
     *
     * @throws UnsupportedOperationException when this sequence promises order, which cursors cannot keep
     */
    Sequence local();

    /**
     * Stops dealing. Waiting callers fail; values in hand are given back to the store where that was asked for, else
     * lost, and either is told to the listener. Calling it again does nothing.
     */
    @Override
    void close();
}
