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

/** A transaction that callers share, with its members. Guarded by the line's lock; only the member with the turn works in it. */
final class Group<T> {

    private final Timing timing;
    final SharedTransaction<T> transaction;

    final Slot slot;

    /** Members whose units have run and that wait for the commit, in order. */
    final List<Member<T>> ran = new ArrayList<>();

    private final @Nullable SavepointTransaction<T> savepoints;
    private final boolean careful;
    private final int mostUnits;
    private final long staysOpenNanos;
    private long closesAt;

    SequenceState counter;

    /** Units whose work is in the transaction, including those of callers that have left. */
    int units;

    /** A caller that has left relies on nothing being committed. */
    boolean doomed;

    /** The member whose unit threw. It waits for the rollback. */
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

    boolean hasDrawn() {
        return !counter.equals(locked);
    }

    boolean takes(Member<T> next) {
        boolean shared = !next.alone && (ran.isEmpty() || !ran.get(0).alone);
        return units == 0 || (shared && units < mostUnits && timing.now() - closesAt < 0);
    }

    /** Sets a savepoint if the next unit may need one; the first is undone by a rollback. Returns whether it did. */
    boolean mark() {
        if (savepoints == null || !careful || units == 0) {
            return false;
        }
        mark = savepoints.mark();
        return true;
    }

    /** Undoes the work since {@link #mark}; returns false if that is not possible. */
    boolean undo() {
        try {
            if (mark != null) {
                mark.undo();
                return true;
            }
        } catch (Throwable e) {
            // A rollback of the whole transaction follows.
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

    /** Removes the members, and returns them as they were before their turns. */
    List<Member<T>> dissolve() {
        List<Member<T>> members = new ArrayList<>(ran);
        ran.clear();
        members.forEach(Member::again);
        return members;
    }
}
