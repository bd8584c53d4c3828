// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.concurrent.CompletionStage;

/**
 * Deals the numbers of one sequence in one mode. The {@link Allocation} it was opened with determines whether they are
 * ordered.
 *
 * <p>Waiting is fair (first come, first served), interruptible, and bounded by the patience of its
 * {@link Sequences}. If the store is down, the rest of a block is still dealt. The first call that needs the store
 * fails, and the next call tries again.
 *
 * <p>Thread-safe, except for the sequence that {@link #local()} returns.
 */
public interface Sequence extends AutoCloseable {

    /** Returns the sequence's name in its store. */
    String name();

    /**
     * Returns the next value.
     *
     * @throws SequenceException.NotFound if the sequence does not exist
     * @throws SequenceException.Exhausted if every value has been dealt
     * @throws SequenceException.Unavailable if the store failed or did not answer in time, or this thread was
     *     interrupted while waiting (its interrupt status stays set). Draw again: values of a reservation whose answer
     *     was lost may be missing, but are never dealt twice
     * @throws SequenceException.Overloaded if the caller's turn did not come in time
     * @throws SequenceException.Regressed if the store's counter has gone back
     * @throws IllegalStateException if closed
     */
    long next();

    /**
     * Returns the next {@code count} values as one block. Makes at most one round trip if the store can keep others
     * from drawing in between. The block is shorter only if the sequence has fewer left.
     *
     * @param count at least 1
     * @throws SequenceException.Misconfigured if the count is below 1
     * @throws SequenceException as {@link #next()}
     */
    Block next(int count);

    /**
     * Returns the next value, drawn on another thread: for callers inside a transaction whose store does not allow a
     * second transaction on the same thread. Completes exceptionally with what {@link #next()} would throw.
     *
     * <p>To stop waiting, cancel the stage's {@linkplain CompletionStage#toCompletableFuture() future} or give it a
     * timeout. This withdraws the draw, and a value already reserved for it is reported {@linkplain
     * SequenceListener#lost lost}. Cancelling a dependent stage, such as a copy, does not withdraw the draw.
     */
    CompletionStage<Long> nextAsync();

    /**
     * Returns a cursor for a single caller that takes short runs of values from this sequence. This is the fastest way
     * to draw, but values are <em>unordered between cursors</em>. The cursor is not thread-safe. Closing it leaves this
     * sequence open and reports the rest of its run as lost. Close it before this sequence: a cursor that is never
     * closed loses at most 63 values without a report.
     *
     * @throws UnsupportedOperationException if this sequence is ordered, which cursors cannot guarantee
     */
    Sequence local();

    /**
     * Stops dealing. Waiting callers fail. Unused values are given back to the store if so configured, and are otherwise
     * lost; the listener is notified in both cases. Waits for reservations under way, and then for the store to take
     * values back, at most as long as the patience in all. Further calls have no effect.
     */
    @Override
    void close();
}
