// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link UnitOfWork} works with: its numbers, and the transaction that it shares with units before and after it.
 *
 * <p>The thread's that runs the unit, until the unit returns.
 *
 * <p>A number that is drawn counts as used when the unit returns, whether or not a row holds it. So a unit that takes a part of
 * its work back must take that part's numbers back too: {@link #mark} and {@link Mark#undo} do, and so do savepoints made by
 * {@code Connection.setSavepoint} on {@link #transaction} in this unit. The SQL statement {@code ROLLBACK TO} is refused
 * once the unit has drawn, or while it has set no savepoint of its own; and after a statement about savepoints there is no way
 * back to those that {@code setSavepoint} gave a name before. What a function inside the database takes back by itself is not seen.
 *
 * @param <T> the handle of the transaction
 */
public final class Turn<T> {

    private final SharedTransaction<T> shared;

    /** As they were marked; none that was passed. */
    private final List<Point> places = new ArrayList<>();

    private final SharedTransaction.Drawn drawn;
    private SequenceState counter;
    private volatile boolean over;

    Turn(SharedTransaction<T> shared, SequenceState counter) {
        this.shared = shared;
        this.counter = counter;
        drawn = new Progress(counter);
    }

    /** A point of the unit's work that it can go back to. The thread's that runs the unit. */
    public final class Mark {

        private final SavepointTransaction.Mark work;
        private final Point place;

        private Mark(SavepointTransaction.Mark work, Point place) {
            this.work = work;
            this.place = place;
        }

        /**
         * Undoes what the unit has done since, and gives the numbers back that it has drawn since. This mark stays; marks and
         * savepoints made after it are gone.
         *
         * @throws IllegalStateException when the unit has returned, or has gone back to an earlier mark or savepoint
         * @throws SequenceException when the database cannot go back: let it through, and the unit is undone as a whole
         */
        public void undo() {
            place.check();
            work.undo();
            place.back();
        }
    }

    /** Where the counter stood when a mark or a savepoint was made. */
    private final class Point implements SharedTransaction.Drawn.Place {

        private final SequenceState then = counter;

        @Override
        public boolean passed() {
            return !places.contains(this);
        }

        @Override
        public void back() {
            check();
            places.subList(places.indexOf(this) + 1, places.size()).clear();
            counter = then;
        }

        private void check() {
            checkNotOver();
            if (passed()) {
                throw new IllegalStateException(
                        "the unit has gone back to a mark or savepoint before this mark; make another");
            }
        }
    }

    /** How far the unit has drawn, for savepoints of the transaction's handle. */
    private final class Progress implements SharedTransaction.Drawn {

        private final SequenceState before;

        Progress(SequenceState before) {
            this.before = before;
        }

        @Override
        public SequenceState counter() {
            return counter;
        }

        @Override
        public boolean hasDrawn() {
            return !counter.equals(before);
        }

        @Override
        public Place here() {
            return place();
        }
    }

    /**
     * The transaction. It is shared: a unit may make savepoints of its own in it, but never commits it, rolls it back,
     * closes it, or does anything that would (such as changing tables, in MySQL). What it sets for the transaction or the
     * session, such as {@code SET LOCAL}, the units after it see too: see {@link UnitStart}.
     *
     * @throws IllegalStateException when the unit has returned
     */
    public T transaction() {
        checkNotOver();
        return shared.handle(drawn);
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

    /**
     * Marks this point, to go back to when a part of the work fails. Costs a round trip.
     *
     * @throws UnsupportedOperationException when the database has no savepoints
     * @throws SequenceException when the transaction cannot go on: let it through
     * @throws IllegalStateException when the unit has returned
     */
    public Mark mark() {
        checkNotOver();
        if (!(shared instanceof SavepointTransaction<T> savepoints)) {
            throw new UnsupportedOperationException("sequence "
                    + SequenceException.quoted(counter.definition().name())
                    + ": its database has no savepoints; throw, and the unit is undone as a whole");
        }
        return new Mark(savepoints.mark(), place());
    }

    private Point place() {
        Point place = new Point();
        places.add(place);
        return place;
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
