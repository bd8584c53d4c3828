// SPDX-License-Identifier: Apache-2.0
package dev.seriatim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a {@link GroupLine}: when one begins, who gets the turn in it, when it is committed, and what becomes
 * of its members when that fails. Called under the line's lock; what is to be done when that has been released is
 * returned, and the steps at the end of this class are such.
 *
 * <p>One transaction at a time takes in callers. One whose present step lasts longer than half of the patience is left behind,
 * so that a connection which died unnoticed does not stop the sequence: the next begins, and waits in the database for the
 * counter's lock if it must.
 */
final class Groups<T> {

    /** Nothing follows. */
    static final Runnable NOTHING = () -> {};

    /** No longer than this, from the first unit's end, a transaction takes in callers: that one waits, and so do others. */
    private static final long LONGEST_OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_GIVEN_UP = 3;

    private final GroupLine<T> line;
    private final GroupContext<T> context;
    private final Caution caution = new Caution();
    private final BackOff afterFailure = BackOff.afterFailure();
    private final BackOff afterConflict = BackOff.afterConflict();

    private @Nullable Slot current;
    private int givenUp;
    private boolean startScheduled;

    private long commits;
    private @Nullable SequenceException lastFailure;
    private @Nullable Throwable lastConflict;

    Groups(GroupLine<T> line) {
        this.line = line;
        this.context = line.context;
    }

    /** How many groups have been committed. */
    long commits() {
        return commits;
    }

    boolean idle() {
        return current == null;
    }

    boolean runsUnitOn(Thread thread) {
        return current != null && current.worker == thread;
    }

    /** Whether the store has answered a caller who joined when so many groups had been committed. */
    boolean answersSince(long commitsBefore) {
        boolean unitRuns = current != null && current.worker != null;
        return commits > commitsBefore || unitRuns || lastConflict != null;
    }

    /** What went wrong since the last commit, most telling first. */
    @Nullable
    Throwable lastTrouble() {
        return lastConflict != null ? lastConflict : lastFailure;
    }

    /** Begins a transaction, if one is called for. */
    Runnable start() {
        leaveBehindWhatHangs();
        if (current != null || line.waiting.isEmpty() || startScheduled) {
            return NOTHING;
        }
        long now = System.nanoTime();
        long pause = Math.max(afterFailure.remaining(now), afterConflict.remaining(now));
        if (pause > 0) {
            startScheduled = true;
            return () -> CompletableFuture.delayedExecutor(pause, TimeUnit.NANOSECONDS, context::hand)
                    .execute(this::startAfterPause);
        }
        Slot slot = new Slot();
        current = slot;
        return () -> context.hand(() -> begin(slot));
    }

    /** Gives the turn to the next in line, or closes the group. */
    Runnable passOn(Group<T> group) {
        if (group.doomed) {
            return rollBack(group, null);
        }
        Member<T> next = line.waiting.peek();
        if (next == null || group.slot != current || !group.takes(next)) {
            return close(group);
        }
        line.waiting.remove();
        next.calledTo(group);
        group.slot.step(null);
        return next::wake;
    }

    Runnable unitRan(Group<T> group, Member<T> member, SequenceState after) {
        group.ran(member, after);
        return passOn(group);
    }

    /** A unit threw, and its caller has gone with the exception. */
    Runnable unitFailed(Group<T> group, boolean undone) {
        caution.unitFailed(group.units);
        return undone ? passOn(group) : rollBack(group, null);
    }

    /** Another session was in the way of a unit. */
    Runnable conflicted(Group<T> group, Member<T> member, Throwable why) {
        lastConflict = why;
        afterConflict.failed(new SequenceException.Overloaded(context.name(), "conflict", why), System.nanoTime());
        return rollBack(group, member);
    }

    /** Before a member's turn, the transaction turned out to be of no use any more. */
    Runnable markFailed(Group<T> group, Member<T> member, RuntimeException why) {
        return why instanceof SequenceException.Overloaded
                ? conflicted(group, member, why)
                : partCompany(group, member);
    }

    /** One unit has spoiled it for all, nobody knows which: each gets a transaction to itself, and so does the last. */
    Runnable partCompany(Group<T> group, Member<T> last) {
        last.alone = true;
        group.ran.forEach(member -> member.alone = true);
        return rollBack(group, last);
    }

    /** Ends the transaction; its members, and the one whose turn it is if it has to run again, go back to their places. */
    Runnable rollBack(Group<T> group, @Nullable Member<T> again) {
        if (again != null) {
            group.ran.add(again);
        }
        line.backInFront(group.dissolve());
        group.slot.step(null);
        return () -> context.hand(() -> rollBack(group));
    }

    private Runnable close(Group<T> group) {
        if (group.units == 0) {
            return rollBack(group, null);
        }
        group.sent();
        group.slot.step(null);
        return () -> context.hand(() -> commit(group));
    }

    private void leaveBehindWhatHangs() {
        if (current != null && givenUp < MAX_GIVEN_UP && current.stepLasts() > context.patienceNanos() / 2) {
            current.givenUp = true;
            givenUp++;
            current = null;
        }
    }

    private Runnable began(Slot slot, SharedTransaction<T> transaction) {
        long open = Math.min(LONGEST_OPEN_NANOS, context.patienceNanos() / 4);
        return passOn(new Group<>(transaction, slot, caution, open));
    }

    private Runnable notBegun(Slot slot, SequenceException failure) {
        List<Member<T>> told = new ArrayList<>();
        if (failure instanceof SequenceException.Overloaded) {
            lastConflict = failure;
            afterConflict.failed(failure, System.nanoTime());
        } else if (!slot.givenUp) {
            lastFailure = failure;
            afterFailure.failed(failure, System.nanoTime());
            told.addAll(line.waiting);
            line.waiting.clear();
            told.forEach(member -> member.fail(failure));
        }
        return ended(slot, told);
    }

    private Runnable committed(Group<T> group) {
        commits++;
        lastConflict = null;
        lastFailure = null;
        afterConflict.succeeded();
        afterFailure.succeeded();
        caution.committed();
        List<Member<T>> told = group.dissolve();
        told.forEach(member -> member.place = Member.Place.COMMITTED);
        return ended(group.slot, told);
    }

    private Runnable notCommitted(Group<T> group, SequenceException failure) {
        List<Member<T>> members = group.dissolve();
        if (failure instanceof SequenceException.Overloaded) {
            lastConflict = failure;
            afterConflict.failed(failure, System.nanoTime());
        } else if (failure instanceof SequenceException.CommitOutcomeUnknown || group.units == 1) {
            members.forEach(member -> member.fail(failure));
            return ended(group.slot, members);
        } else {
            members.forEach(member -> member.alone = true);
        }
        line.backInFront(members);
        return ended(group.slot, List.of());
    }

    /** The next transaction begins before the members of this one wake, since they will want to join it. */
    private Runnable ended(Slot slot, List<Member<T>> told) {
        if (slot.givenUp) {
            givenUp--;
        } else {
            current = null;
        }
        Runnable next = start();
        return () -> {
            next.run();
            told.forEach(Member::wake);
        };
    }

    // Steps, outside the lock.

    private void startAfterPause() {
        line.decide(() -> {
            startScheduled = false;
            return start();
        });
    }

    private void begin(Slot slot) {
        SharedTransaction<T> transaction;
        try {
            transaction = context.store().begin(context.name());
        } catch (RuntimeException e) {
            SequenceException failure = SequenceException.ofStore(context.name(), e);
            context.listener().tell(l -> l.failed(context.name(), failure));
            line.decide(() -> notBegun(slot, failure));
            return;
        }
        line.decide(() -> began(slot, transaction));
    }

    private void commit(Group<T> group) {
        try {
            group.transaction.commit(group.counter);
        } catch (RuntimeException e) {
            // What a store throws that breaks its contract says nothing about what happened.
            SequenceException failure = e instanceof SequenceException ours
                    ? ours
                    : new SequenceException.CommitOutcomeUnknown(context.name(), e);
            context.listener().tell(l -> l.failed(context.name(), failure));
            line.decide(() -> notCommitted(group, failure));
            return;
        }
        line.decide(() -> committed(group));
    }

    private void rollBack(Group<T> group) {
        try {
            group.transaction.rollback();
        } finally {
            line.decide(() -> ended(group.slot, List.of()));
        }
    }
}
