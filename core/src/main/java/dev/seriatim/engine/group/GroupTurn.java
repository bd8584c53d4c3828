// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.Block;
import dev.seriatim.SequenceDefinition;
import dev.seriatim.Turn;
import dev.seriatim.internal.Messages;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.util.ArrayList;
import java.util.List;

/** The turn of a running unit. Used by the unit's thread. */
final class GroupTurn<T> implements Turn<T>, SharedTransaction.Drawn {

    private final SharedTransaction<T> shared;

    /** The marks and savepoints that are still valid, oldest first. */
    private final List<Point> places = new ArrayList<>();

    private final SequenceState before;
    private final Thread owner = Thread.currentThread();
    private SequenceState counter;
    private volatile boolean over;

    GroupTurn(SharedTransaction<T> shared, SequenceState counter) {
        this.shared = shared;
        this.before = counter;
        this.counter = counter;
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
                throw new IllegalStateException("the unit has rolled back past this mark; set a new one");
            }
        }
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
    public Point here() {
        Point place = new Point();
        places.add(place);
        return place;
    }

    @Override
    public T transaction() {
        checkUsable();
        return shared.handle(this);
    }

    @Override
    public long next() {
        return take(1).first();
    }

    @Override
    public Block next(int count) {
        return take(SequenceDefinition.checkCount(counter.definition().name(), count));
    }

    @Override
    public Mark mark() {
        checkUsable();
        if (!(shared instanceof SavepointTransaction<T> savepoints)) {
            throw new UnsupportedOperationException("sequence "
                    + Messages.quoted(counter.definition().name())
                    + ": its database has no savepoints; throw to undo the whole unit");
        }
        SavepointTransaction.Mark work = savepoints.mark();
        Point place = here();
        return () -> {
            checkUsable();
            place.check();
            work.undo();
            place.back();
        };
    }

    /** Ends the turn, and returns the counter after the unit. */
    SequenceState end() {
        over = true;
        return counter;
    }

    private Block take(long count) {
        checkUsable();
        SequenceState.Taken taken = counter.take(count);
        counter = taken.after();
        return taken.reservation().block();
    }

    private void checkUsable() {
        checkNotOver();
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("sequence "
                    + Messages.quoted(counter.definition().name())
                    + ": a turn belongs to the thread that runs its unit of work; draw on that thread, and pass the"
                    + " numbers to others");
        }
    }

    private void checkNotOver() {
        if (over) {
            throw new IllegalStateException("the unit of work on sequence "
                    + Messages.quoted(counter.definition().name())
                    + " has returned; draw and use its transaction inside the unit only");
        }
    }
}
