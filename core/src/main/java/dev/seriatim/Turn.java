// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

/**
 * What a {@link UnitOfWork} works with: its numbers, and the transaction that it shares with units before and after it.
 *
 * <p>The thread's that runs the unit, until the unit returns.
 *
 * @param <T> the handle of the transaction
 */
public final class Turn<T> {

    private final SharedTransaction<T> shared;
    private SequenceState counter;
    private volatile boolean over;

    Turn(SharedTransaction<T> shared, SequenceState counter) {
        this.shared = shared;
        this.counter = counter;
    }

    /**
     * The transaction. It is shared: a unit may make savepoints of its own in it, but never commits it, rolls it back,
     * closes it, or does anything that would (such as changing tables, in MySQL).
     *
     * @throws IllegalStateException when the unit has returned
     */
    public T transaction() {
        checkNotOver();
        return shared.handle();
    }

    /**
     * The next number. Costs no round trip.
     *
     * @throws SequenceException.Exhausted when every number has been dealt
     * @throws IllegalStateException when the unit has returned
     */
    public long next() {
        return take(1).first();
    }

    /**
     * The next {@code count} numbers in one piece. Shorter only when the sequence has fewer left.
     *
     * @throws SequenceException.Misconfigured when the count is below 1
     * @throws SequenceException.Exhausted when every number has been dealt
     * @throws IllegalStateException when the unit has returned
     */
    public Block next(int count) {
        return take(Counts.checked(counter.definition().name(), count));
    }

    /** Where the counter stands after the unit; no number is dealt any more. */
    SequenceState end() {
        over = true;
        return counter;
    }

    private Block take(long count) {
        checkNotOver();
        SequenceState.Taken taken = counter.take(count);
        counter = taken.after();
        return taken.reservation().block();
    }

    private void checkNotOver() {
        if (over) {
            throw new IllegalStateException("the unit of work on sequence "
                    + SequenceException.quoted(counter.definition().name())
                    + " has returned; draw and use its transaction inside the unit only");
        }
    }
}
