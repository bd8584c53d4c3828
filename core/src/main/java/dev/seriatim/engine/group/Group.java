// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.engine.group;

import dev.seriatim.GroupedSequence;
import dev.seriatim.engine.dispatch.Timing;
import dev.seriatim.store.SavepointTransaction;
import dev.seriatim.store.SequenceState;
import dev.seriatim.store.SharedTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that callers share, and who they are. Guarded by the line's lock; its transaction, its counter and the
 * number of its units are changed only by whoever has the turn.
 */
final class Group<T> {

    private final Timing timing;
    final SharedTransaction<T> transaction;

    /** What it occupies while it is the one that callers join. */
    final Slot slot;

    /** Whose units have run and who still wait for the commit, in the order of their turns. */
    final List<Member<T>> ran = new ArrayList<>();

    private final @Nullable SavepointTransaction<T> savepoints;
    private final boolean careful;
    private final int mostUnits;
    private final long staysOpenNanos;
    private long closesAt;

    SequenceState counter;

    /** How many units' work is in the transaction, whether or not their callers still wait. */
    int units;

    /** The caller of one of them has left, so that it must not be committed. */
    boolean doomed;

    /** Whose unit threw, and who waits to hear whether all of that is undone. */
    @Nullable
    Member<T> thrower;

    private final SequenceState locked;
    private SavepointTransaction.@Nullable Mark mark;

    Group(
            Timing timing,
            SharedTransaction<T> transaction,
            SequenceState counter,
            Slot slot,
            SavepointPolicy policy,
            long staysOpenNanos) {
        this.timing = timing;
        this.transaction = transaction;
        locked = counter;
        this.counter = counter;
        this.slot = slot;
        this.staysOpenNanos = staysOpenNanos;
        savepoints = transaction instanceof SavepointTransaction<T> s ? s : null;
        careful = policy.careful();
        mostUnits = savepoints == null ? policy.mostUnits() : GroupedSequence.MOST_UNITS;
    }

    /** Whether its units have moved the counter. */
    boolean hasDrawn() {
        return !counter.equals(locked);
    }

    /** Whether the next in line may work in this transaction too. */
    boolean takes(Member<T> next) {
        boolean shared = !next.alone && (ran.isEmpty() || !ran.get(0).alone);
        return units == 0 || (shared && units < mostUnits && timing.now() - closesAt < 0);
    }

    /** Makes a savepoint where the next unit may need one; tells whether it did. The first can be undone by rolling back. */
    boolean mark() {
        if (savepoints == null || !careful || units == 0) {
            return false;
        }
        mark = savepoints.mark();
        return true;
    }

    /** Undoes what was done since {@link #mark}; false when that is not possible. */
    boolean undo() {
        try {
            if (mark != null) {
                mark.undo();
                return true;
            }
        } catch (Throwable e) {
            // Whatever is wrong with the transaction, rolling all of it back is the way out.
        }
        return false;
    }

    SharedTransaction.Blame blame(Throwable thrown) {
        try {
            return transaction.blame(thrown);
        } catch (Throwable e) {
            if (e != thrown) {
                thrown.addSuppressed(e); // a store's fault must not hide the unit's exception, nor stop the line
            }
            return SharedTransaction.Blame.UNIT;
        }
    }

    void ran(Member<T> member, SequenceState after) {
        if (units == 0) {
            closesAt = timing.now() + staysOpenNanos;
        }
        counter = after;
        units++;
        ran.add(member);
        member.place = Member.Place.RAN;
    }

    void sent() {
        ran.forEach(member -> member.place = Member.Place.SENT);
    }

    void returning() {
        ran.forEach(member -> member.place = Member.Place.RETURNING);
        if (thrower != null) {
            thrower.place = Member.Place.RETURNING;
        }
    }

    void left(Member<T> member) {
        ran.remove(member);
        doomed = true;
    }

    /** Those who still wait for its commit, as they were before their turns; they are no longer its. */
    List<Member<T>> dissolve() {
        List<Member<T>> members = new ArrayList<>(ran);
        ran.clear();
        members.forEach(Member::again);
        return members;
    }
}
